// The reasons why hosts were rejected in a decision that placed nothing, from its document. Pure.
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
  if (summary.cause) return causesOf(summary, passes);
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

/** The conditions of the cause alone: a host can fail others first, which are not why the request was refused. */
function causesOf(
  { cause, conditions }: DecisionDocument['summary'],
  passes: DecisionDocument['passes'],
): readonly RefusalReason[] {
  const named = new Set(cause?.conditions);
  return (conditions ?? []).flatMap(({ condition, by, failed, reasons: [sentence = condition] }) => {
    if (!named.has(condition)) return [];
    // Amounts do not tell reasons apart.
    const [mentioned] = mentionedBy(by, passes);
    return [{ name: by, code: mentioned?.code ?? condition.replace(/:\d+$/, ''), hosts: failed, sentence }];
  });
}

interface HostMention {
  readonly code: string;
  readonly message: string;
}

const mentionedBy = (name: string, passes: DecisionDocument['passes']): readonly HostMention[] =>
  passes.flatMap(({ stages }) => stages.flatMap((stage) => (stage.name === name ? stage.rejections.hosts : [])));

const messageOf = (said: readonly HostMention[] | undefined, code: string): string | undefined =>
  said?.find((host) => host.code === code)?.message;
