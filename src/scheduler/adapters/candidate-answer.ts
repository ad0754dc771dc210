// Translates an answer of the candidate engine into the scheduler's types. Pure.
import type { Candidates, FoundCandidate, Provider, ProviderGraph, Rejection } from '../../placement/candidate-search';
import { treesOf } from '../../placement/candidate-search';
import { assert } from '../../platform/values/assert';
import type { CandidateAnswer } from '../ports';

/** An answer of the engine; with `rejections` if reasons were requested. */
type Found = Candidates & {
  readonly rejections?: readonly Rejection[];
  /** The search stopped before it had covered everything. */
  readonly gaveUp?: boolean;
};

/** The candidates, with every provider of the trees they use. */
export function candidateAnswerOf(found: Found): CandidateAnswer {
  const summaries = new Map<string, Provider>();
  for (const { providers } of treesOf(found)) {
    for (const provider of providers) summaries.set(provider.uuid, provider);
  }
  const { rejections, anchorsBeyond = 0 } = found;
  return {
    requests: found.list,
    summaries,
    truncated: found.truncated || anchorsBeyond !== 0,
    hasFurtherOfHosts: found.truncated,
    ...(found.gaveUp === true && { gaveUp: true }),
    ...(rejections !== undefined
      ? explanationOf({ ...found, rejections }, rootsOf(found.list))
      : { notConsidered: found.truncated ? null : anchorsBeyond }),
  };
}

/** Law: every root is returned, rejected for one reason, or counted as not considered. */
function explanationOf(
  { graph, rejections }: Candidates & { readonly rejections: readonly Rejection[] },
  returned: ReadonlySet<Provider>,
): Pick<CandidateAnswer, 'notConsidered' | 'rejections'> {
  const notConsidered = graph.rootIds.length - returned.size - rejections.length;
  assert(notConsidered >= 0, 'a root is returned or rejected, never both');
  return { notConsidered, rejections };
}

const rootsOf = (list: readonly FoundCandidate[]): ReadonlySet<Provider> => new Set(list.map(({ root }) => root));

/** The current tree of a root, for callers without an answer of the engine. */
export function treeOfRoot(graph: ProviderGraph, rootUuid: string): readonly Provider[] {
  const root = graph.findProviderByUuid(rootUuid);
  return root === undefined ? [] : (graph.findTree(root.id)?.providers ?? []);
}
