// Summarises a decision: counts by filter and code, one sentence for operators, and one for tenants that names neither
// hosts nor filters.

import type { Refusal, SentenceFrame } from '../../placement/candidate-search';
import { PLAIN_WORDING, refusalSentence } from '../../placement/candidate-search';
import type { RequestSpec } from '../request-spec/request-spec';
import { wantedTarget } from '../request-spec/target-host';
import type { DecisionEnd, DecisionSummary, PlacementRecord } from './decision';
import type { PassTotals } from './pass-log';
import { placementCode } from './refused-hosts';
import { countByCode } from './run-filters';
import { userMessageOf } from './user-message';

/** The inputs of the summary. */
interface SummaryInput extends Omit<DecisionEnd, 'nowMs'> {
  readonly placement: PlacementRecord | null;
  readonly passes: PassTotals;
  readonly refusal: Refusal | null;
  /** Null: the request was refused before it was parsed. */
  readonly request: RequestSpec | null;
}

/** A complete placement is described by its hosts. */
export function summarise(input: SummaryInput): DecisionSummary {
  const { wording = PLAIN_WORDING, passes, placement, outcome, code, request } = input;
  const refusal = outcome === 'placed' ? null : input.refusal;
  return {
    rejected: { ...placementByCode(placement), ...passes.rejected },
    refusal,
    sentence: sentenceOf({ ...input, refusal }),
    userMessage: userMessageOf({
      code,
      request,
      hasSearched: placement !== null || passes.selects > 0,
      refusal,
      placed: passes.placed,
      wording,
    }),
  };
}

function placementByCode(placement: PlacementRecord | null): Readonly<Record<string, number>> {
  const counts = Object.entries(countByCode((placement?.rejections ?? []).map(placementCode)));
  return Object.fromEntries(counts.map(([code, hosts]) => [`placement.${code}`, hosts]));
}

function sentenceOf({ outcome, reason, placement, passes, refusal, request, wording }: SummaryInput): string {
  if (outcome === 'placed') return placedSentence(passes, request?.instanceUuids.length ?? passes.placed);
  const isBefore = placement === null && passes.selects === 0;
  if (isBefore || outcome !== 'no_valid_host') return reason ?? 'The request was refused.';
  if (refusal === null) return UNEXPLAINED;
  const end = placement === null ? [] : beyondOf(placement);
  return refusalSentence(refusal, wording ?? PLAIN_WORDING, { end, ...frameOf({ passes, request, refusal }) });
}

const UNEXPLAINED = 'Placement did not offer any host, and gives no reasons over HTTP.';

/** Of a batch, how many instances fit; of a request that names a host, its name. */
function frameOf({
  passes: { placed, selects },
  request,
  refusal,
}: Pick<SummaryInput, 'passes' | 'request' | 'refusal'>): Pick<SentenceFrame, 'head' | 'isOfHost'> {
  const target = request && wantedTarget(request);
  const name = target && (target.host ?? target.node);
  if (placed === 0) {
    if (name === null) return {};
    if (refusal === null) return {};
    if (refusal.hosts === 0) return { head: 'The host that the request names is no root provider any more' };
    return refusal.only === null ? {} : { head: `Host ${name}, which the request names, does not fit`, isOfHost: true };
  }
  const instances = request?.instanceUuids.length ?? selects;
  const least = request !== null && request.minCount < instances ? ` (min_count ${request.minCount})` : '';
  const where = name === null ? '' : ` on host ${name}, which the request names`;
  const fit = `${placed} of ${howMany(instances, 'instance')}${least} ${placed === 1 ? 'fits' : 'fit'}${where}`;
  return { head: `${fit}; no host is left for instance ${placed + 1}` };
}

function beyondOf({ notConsidered, truncated }: PlacementRecord): readonly string[] {
  if (notConsidered === null) return truncated ? ['further hosts beyond max_placement_results were not asked'] : [];
  if (notConsidered === 0) return [];
  const were = notConsidered === 1 ? 'was' : 'were';
  return [`${howMany(notConsidered, 'host')} beyond max_placement_results ${were} not asked`];
}

/** A partial placement can succeed; then the last instance found no host. */
function placedSentence({ placed, firstPlaced, withoutHost }: PassTotals, instances: number): string {
  const places = firstPlaced.map(({ instanceUuid, host }) => `${instanceUuid} on ${host}`);
  const first = `${places.join(', ')}${placed > places.length ? ', …' : ''}`;
  const end = withoutHost === null ? '' : `; ${withoutHost} found no host`;
  const number = placed < instances ? `${placed} of ` : '';
  return `Placed ${number}${howMany(instances, 'instance')}: ${first}${end}.`;
}

/** A number with its noun. */
const howMany = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
