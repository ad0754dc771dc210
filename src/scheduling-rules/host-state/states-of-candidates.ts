// Builds the host states for the candidates of an answer: finds their trees, and adds the candidates to each state.

import type { Candidate, Provider } from '../../placement/candidate-search';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { addTo } from '../../platform/values/lists-by-key';
import type { ProviderSummaries } from './host-state';
import type { HostState } from './host-state';
import { withCandidates } from './host-state';

/** A root from Placement without a known host: deleted meanwhile, or not a host. */
export interface UnknownHost {
  readonly uuid: string;
  readonly name: string;
}

export interface StatesOfCandidates {
  readonly states: readonly HostState[];
  /** Root providers that are not hosts. */
  readonly unknown: readonly UnknownHost[];
}

/** The providers of each candidate's tree, in the order of the candidates. */
export function treesOfCandidates(
  requests: readonly Candidate[],
  summaries: ProviderSummaries,
): ReadonlyMap<string, readonly Provider[]> {
  const trees = new Map<string, Provider[]>();
  for (const { rootUuid } of requests) if (!trees.has(rootUuid)) trees.set(rootUuid, []);
  for (const summary of summaries.values()) trees.get(summary.rootUuid)?.push(summary);
  return trees;
}

/** One state per root with candidates; roots that are not hosts are returned separately. */
export function statesOfCandidates(
  { requests, summaries }: { readonly requests: readonly Candidate[]; readonly summaries: ProviderSummaries },
  known: ReadonlyMap<string, HostState>,
): StatesOfCandidates {
  const byRoot = new Map<string, Candidate[]>();
  for (const candidate of requests) addTo(byRoot, candidate.rootUuid, candidate);
  const states: HostState[] = [];
  const unknown: UnknownHost[] = [];
  for (const [uuid, candidates] of byRoot) {
    const state = known.get(uuid);
    if (state === undefined) unknown.push({ uuid, name: summaries.get(uuid)?.name ?? uuid });
    else states.push(withCandidates(state, candidates));
  }
  return { states, unknown };
}

/** As in nova: without candidates that take all resources from other providers. */
export const withOwnCandidates = (state: HostState): HostState =>
  state.candidates.every(usesItsRoot) ? state : withCandidates(state, state.candidates.filter(usesItsRoot));

/** Nova finds a host's candidates by the host's own provider, so it misses those that use only other providers. */
const usesItsRoot = ({ rootUuid, allocations }: Candidate): boolean => Object.hasOwn(allocations, rootUuid);

/** For a host that Placement was not asked about: a candidate that takes nothing. */
export const withEmptyCandidate = (state: HostState): HostState =>
  withCandidates(state, [{ rootUuid: state.uuid, allocations: {}, mappings: {} }]);

/** The host without the trait of disabled hosts, which the service sets and removes. */
export const enabledByTrait = (state: HostState): HostState =>
  state.service !== null && state.traits.has(DISABLED_TRAIT)
    ? { ...state, service: { ...state.service, disabled: false } }
    : state;
