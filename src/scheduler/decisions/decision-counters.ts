// Counts the outcomes of decisions since the start, and the rejections of hosts. Stages and codes depend on the
// configured parts, including plug-ins, so their number is bounded here. decisions.metrics.ts exports the counters.
import { Injectable } from '@nestjs/common';
import { Distribution, DURATION_BOUNDS, NamedCounts } from '../../platform/values/counters';
import type { Decision, PassRecord } from '../../scheduling-rules/pipeline/decision';
import { countByCode, rejectionsByCode } from '../../scheduling-rules/pipeline/run-filters';

/** Maximum of series of a family with labels from parts or plug-ins; further ones are counted as `other`. */
const NAMED_COUNTS = 500;

const OTHERS: readonly [string, string] = ['other', 'other'];
const MILLISECONDS = 1_000;

type StageAndCode = readonly [stage: string, code: string];

@Injectable()
export class DecisionCounters {
  /** By `decision` or `question` (a decision without a claim), outcome and code. */
  readonly outcomes = new NamedCounts<readonly [string, string, string]>(NAMED_COUNTS, ['other', 'other', 'other']);
  /** Decisions that placed nothing, by the stage and code that rejected the last host. */
  readonly refusals = new NamedCounts<StageAndCode>(NAMED_COUNTS, OTHERS);
  /** Rejected hosts of all decisions. */
  readonly rejections = new NamedCounts<StageAndCode>(NAMED_COUNTS, OTHERS);
  readonly durations = new Distribution(DURATION_BOUNDS);

  decided(decision: Decision, isQuestion: boolean): void {
    this.outcomes.add([isQuestion ? 'question' : 'decision', decision.outcome, decision.code ?? 'none']);
    this.durations.add(decision.durationMs / MILLISECONDS);
    if (decision.outcome !== 'placed') this.refusals.add(refusingStage(decision));
    for (const [name, hosts] of Object.entries(decision.summary.rejected)) {
      const dot = name.indexOf('.');
      this.rejections.add([name.slice(0, dot), name.slice(dot + 1)], hosts);
    }
  }
}

/** The stage that rejected the last host (request, prefilter, placement, filter or claims) and its code. */
function refusingStage({ outcome, code, request, placement, passes, summary }: Decision): StageAndCode {
  const own = code ?? 'none';
  if (request === null || outcome === 'refused') return ['request', own];
  if (placement === null) return [outcome === 'failed' ? 'placement' : 'prefilter', own];
  if (placement.hosts === 0) return ['placement', mostFrequent(codesOf('placement', summary.rejected)) ?? own];
  const pass = passes.findLast(({ phase }) => phase === 'select');
  return (pass && (filterOf(pass) ?? claimOf(pass))) ?? ['other', own];
}

function filterOf({ stages }: PassRecord): StageAndCode | undefined {
  const last = stages.find((stage) => stage.in > 0 && stage.out === 0);
  return last && [last.name, mostFrequent(rejectionsByCode(last)) ?? 'none'];
}

function claimOf({ claims, claimCounts }: PassRecord): StageAndCode | undefined {
  const counts = claimCounts ?? countByCode(claims.map(({ outcome }) => ({ code: outcome })));
  const reason = mostFrequent(counts);
  return reason === undefined ? undefined : ['claim', reason];
}

const codesOf = (stage: string, rejected: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(rejected)
      .filter(([name]) => name.startsWith(`${stage}.`))
      .map(([name, count]) => [name.slice(stage.length + 1), count]),
  );

function mostFrequent(counts: Readonly<Record<string, number>>): string | undefined {
  let found: string | undefined;
  for (const [code, count] of Object.entries(counts)) {
    if (found === undefined || count > (counts[found] ?? 0)) found = code;
  }
  return found;
}
