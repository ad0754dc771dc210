// Builds the host states for the candidates of an answer: finds their trees, and adds the candidates to each state. An
// answer can have thousands of hosts, so both steps yield.

import type { Walk } from '../../domain/walk';
import { STATES_PER_STEP } from '../pipeline/limits';
import type { UnknownHost } from '../pipeline/preselect';
import type { Candidate, Provider } from '../../candidate-search';
import { addTo } from '../../domain/lists-by-key';
import type { ProviderSummaries } from './host-state';
import { withCandidates } from './host-state';
import type { HostState } from './host-state';

export interface StatesOfCandidates {
  readonly states: readonly HostState[];
  /** Root providers that are not hosts. */
  readonly unknown: readonly UnknownHost[];
}

/** The providers of each candidate's tree, in the order of the candidates. */
export function* walkTrees(
  requests: readonly Candidate[],
  summaries: ProviderSummaries,
): Walk<ReadonlyMap<string, readonly Provider[]>> {
  const trees = new Map<string, Provider[]>();
  for (const [at, { rootUuid }] of requests.entries()) {
    if (isPause(at)) yield;
    if (!trees.has(rootUuid)) trees.set(rootUuid, []);
  }
  let at = 0;
  for (const summary of summaries.values()) {
    if (isPause((at += 1))) yield;
    trees.get(summary.rootUuid)?.push(summary);
  }
  return trees;
}

/** One state per root with candidates; roots that are not hosts are returned separately. */
export function* walkStates(
  { requests, summaries }: { readonly requests: readonly Candidate[]; readonly summaries: ProviderSummaries },
  known: ReadonlyMap<string, HostState>,
): Walk<StatesOfCandidates> {
  const byRoot = new Map<string, Candidate[]>();
  for (const [at, candidate] of requests.entries()) {
    if (isPause(at)) yield;
    addTo(byRoot, candidate.rootUuid, candidate);
  }
  const states: HostState[] = [];
  const unknown: UnknownHost[] = [];
  for (const [uuid, candidates] of byRoot) {
    if (isPause(states.length + unknown.length)) yield;
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

const isPause = (at: number): boolean => at % STATES_PER_STEP === STATES_PER_STEP - 1;
