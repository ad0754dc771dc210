// Compares the decision of Berth with the choice of nova. Pure.
import { failuresText } from '../../placement/candidate-search';
import type { Decided } from '../../scheduler/decide/decision-run';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { NovaRequestSpec } from '../objects/request-spec';
import type { NovaChoice } from './new-requests';

export const VERDICTS = ['same', 'equal', 'different', 'not-comparable'] as const;

export interface Comparison {
  /** `equal`: another host, and the two have the same weight or the draw is random among them. */
  readonly verdict: (typeof VERDICTS)[number];
  readonly nova: string;
  readonly berth: string;
  /** Why it differs or cannot be compared; null if it agrees. */
  readonly reason: string | null;
}

/** Weights are sums of floats. */
const SAME_WEIGHT = 1e-9;
export const NONE = 'none';
/** Filters that see NUMA cells and devices of the instance itself as taken. */
const TAKEN_BY_ITSELF: ReadonlySet<string> = new Set(['NUMATopologyFilter', 'PciPassthroughFilter']);

/** Requests that say nothing about the choice; null: comparable. */
export function exclusionOf(spec: NovaRequestSpec, choice: NovaChoice): string | null {
  if (spec.forceHosts.length + spec.forceNodes.length > 0) return 'the request forces the host';
  if ((spec.requestedDestination?.host ?? null) !== null) return 'the request names the host';
  return choice.kind === 'host' && choice.isMoved ? 'the instance has moved' : null;
}

export const notComparable = (choice: NovaChoice | null, reason: string): Comparison => ({
  verdict: 'not-comparable',
  nova: choice === null ? '?' : nameOfChoice(choice),
  berth: '?',
  reason,
});

export function compare(choice: NovaChoice, { decision, placements, refusal }: Decided): Comparison {
  const selected = placements[0]?.selected ?? null;
  const names = { nova: nameOfChoice(choice), berth: selected === null ? NONE : selected.state.host };
  if (refusal !== null && decision.outcome !== 'no_valid_host') {
    return { ...names, verdict: 'not-comparable', reason: refusal.message };
  }
  if (choice.kind === 'none') {
    return selected === null
      ? { ...names, verdict: 'same', reason: null }
      : { ...names, verdict: 'different', reason: 'nova found no host' };
  }
  const isChosen = (host: string, node: string): boolean => host === choice.host && node === choice.node;
  if (selected !== null && isChosen(selected.state.host, selected.state.node)) {
    return { ...names, verdict: 'same', reason: null };
  }
  const pass = decision.passes[0];
  const at = pass?.ranking.findIndex(({ state }) => isChosen(state.host, state.node)) ?? -1;
  const novas = pass?.ranking[at];
  if (pass === undefined || novas === undefined || selected === null)
    return { ...names, ...rejectionOf(choice, { decision }) };
  const isEqual = Math.abs(novas.weight - selected.weight) <= SAME_WEIGHT || at < pass.drawnFrom;
  if (isEqual) return { ...names, verdict: 'equal', reason: null };
  return { ...names, verdict: 'different', reason: weightsOf(novas, selected) };
}

const weightsOf = (novas: HostWeight, berths: { readonly weight: number }): string =>
  `nova's host weighs ${rounded(novas.weight)}, Berth's ${rounded(berths.weight)}`;

const rounded = (weight: number): string => String(Math.round(weight * 1e4) / 1e4);

/** Why Berth did not consider nova's host. */
function rejectionOf(
  { host, node }: Extract<NovaChoice, { kind: 'host' }>,
  { decision }: Pick<Decided, 'decision'>,
): Pick<Comparison, 'verdict' | 'reason'> {
  for (const { name, rejected } of decision.passes[0]?.stages ?? []) {
    const rejection = rejected.find((each) => each.host === host && each.node === node);
    if (rejection === undefined) continue;
    if (TAKEN_BY_ITSELF.has(name)) {
      return { verdict: 'not-comparable', reason: `${name} counts the NUMA cells and devices of the instance itself` };
    }
    return { verdict: 'different', reason: `${name}: ${rejection.message}` };
  }
  const refused = decision.placement?.rejections?.find(({ root }) => root.name === node);
  if (refused !== undefined) {
    return { verdict: 'different', reason: `Placement: ${failuresText(refused.failures, decision.wording)}` };
  }
  const reason = 'Berth does not consider the host: see "berth scheduler check"';
  return { verdict: 'different', reason };
}

const nameOfChoice = (choice: NovaChoice): string => (choice.kind === 'none' ? NONE : choice.host);
