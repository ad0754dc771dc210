// From the candidates of an answer to the states of their hosts: which trees to look at, and each state with what can be
// claimed on it. Answers name thousands of hosts, so both give way.

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
  /** Roots that are no hosts. */
  readonly unknown: readonly UnknownHost[];
}

/** The providers of the tree of each root that has candidates, in the order of the candidates. */
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

/** One state per root that has candidates; roots that are no hosts are told, not lost. */
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

/** As nova sees the host: candidates that take everything from other providers are none. */
export const withOwnCandidates = (state: HostState): HostState =>
  state.candidates.every(usesItsRoot) ? state : withCandidates(state, state.candidates.filter(usesItsRoot));

/** Nova finds a host's candidates by the host's own provider; one that takes everything from others is none to it. */
const usesItsRoot = ({ rootUuid, allocations }: Candidate): boolean => Object.hasOwn(allocations, rootUuid);

const isPause = (at: number): boolean => at % STATES_PER_STEP === STATES_PER_STEP - 1;
