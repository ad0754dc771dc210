// Translates an answer of the candidate engine into the scheduler's types. Pure.
import type { Candidates, Provider, ProviderGraph } from '../../placement/candidate-search';
import { treesOf } from '../../placement/candidate-search';
import type { CandidateAnswer } from '../ports';

/** The candidates, with every provider of the trees they use. */
export function candidateAnswerOf(found: Candidates): CandidateAnswer {
  const summaries = new Map<string, Provider>();
  for (const { providers } of treesOf(found)) {
    for (const provider of providers) summaries.set(provider.uuid, provider);
  }
  return {
    requests: found.list,
    summaries,
    truncated: found.truncated || found.isBounded === true,
    hasFurtherOfHosts: found.truncated,
    ...(found.gaveUp && { gaveUp: true }),
  };
}

/** The current tree of a root, for callers without an answer of the engine. */
export function treeOfRoot(graph: ProviderGraph, rootUuid: string): readonly Provider[] {
  const root = graph.findProviderByUuid(rootUuid);
  return root === undefined ? [] : (graph.findTree(root.id)?.providers ?? []);
}
