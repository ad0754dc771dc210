// The reasons why hosts were rejected in a decision that placed nothing, from its document. Pure.
import type { DescribedCondition } from '../../placement/candidate-search';
import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';

/** One reason of one decision. */
export interface RefusalReason {
  /** The filter; `placement`, `claim` or `request`. */
  readonly name: string;
  readonly code: string;
  /** Hosts that were rejected for this reason. */
  readonly hosts: number;
  /** The message for one of them, or for the request. */
  readonly sentence: string;
}

/** The name of the reason by the code of the decision, if no host was rejected. */
const BY_CODE: Readonly<Record<string, string>> = {
  'scheduler.no_candidates': 'placement',
  'scheduler.claims_lost': 'claim',
};
const CLAIMED = 'claimed';

export function reasonsOf(
  { summary, placement, passes }: DecisionDocument,
  { code, sentence }: { readonly code: string | null; readonly sentence: string },
): readonly RefusalReason[] {
  const causes = causesOf(summary, sentence);
  if (causes.length > 0) return causes;
  const reasons: RefusalReason[] = [];
  for (const [key, hosts] of Object.entries(summary.rejected)) {
    const dot = key.indexOf('.');
    const [name, of] = [key.slice(0, dot), key.slice(dot + 1)];
    const said = name === 'placement' ? placement?.rejections?.hosts : mentionedBy(name, passes);
    reasons.push({ name, code: of, hosts, sentence: messageOf(said, of) ?? sentence });
  }
  for (const { phase, claims_tried: tried, claims } of passes) {
    if (phase !== 'select') continue;
    for (const [outcome, hosts] of Object.entries(tried)) {
      if (outcome === CLAIMED) continue;
      const said = claims.find((claim) => claim.outcome === outcome)?.message;
      reasons.push({ name: 'claim', code: outcome, hosts, sentence: said ?? sentence });
    }
  }
  if (reasons.length > 0) return reasons;
  return [{ name: BY_CODE[code ?? ''] ?? 'request', code: code ?? 'none', hosts: 0, sentence }];
}

/**
 * The conditions of the cause alone: a host can fail others first, which are not why the request was refused. None in
 * documents of earlier versions.
 */
function causesOf(
  { cause, counts = [] }: Partial<DecisionDocument['summary']>,
  sentence: string,
): readonly RefusalReason[] {
  if (!Array.isArray(cause)) return [];
  const causes = new Set((cause as readonly DescribedCondition[]).map(keyOf));
  return counts.flatMap(({ condition, failed, text }) => {
    if (!causes.has(keyOf(condition))) return [];
    const { kind, what, names } = condition;
    const name = kind === 'filter' ? what : (NAMES[kind] ?? 'placement');
    const code = kind === 'filter' ? kind : `${kind}.${names.join()}`;
    return [{ name, code, hosts: failed, sentence: causes.size === 1 ? sentence : text }];
  });
}

/** What checks the conditions that Placement does not know. */
const NAMES: Readonly<Record<string, string>> = {
  service_up: 'ComputeFilter',
  group_policy: 'server group',
  host: 'preselection',
  claim: 'claim',
};

/** Amounts do not tell reasons apart. */
const keyOf = ({ kind, names }: Pick<DescribedCondition, 'kind' | 'names'>): string => `${kind} ${names.join()}`;

interface HostMention {
  readonly code: string;
  readonly message: string;
}

const mentionedBy = (name: string, passes: DecisionDocument['passes']): readonly HostMention[] =>
  passes.flatMap(({ stages }) => stages.flatMap((stage) => (stage.name === name ? stage.rejections.hosts : [])));

const messageOf = (said: readonly HostMention[] | undefined, code: string): string | undefined =>
  said?.find((host) => host.code === code)?.message;
