// All placements of a request in one tree, regardless of usage and capacity: only the tree structure, traits,
// aggregates, minimum amounts and steps count. The caller checks the capacity. Law: a placement is a candidate of the
// current graph exactly if each of its sums fits next to the usage and is at most max_unit.

import { MAX_INT } from '../domain/inventory';
import { AnchorSearch } from './anchor-search';
import type { FoundCandidate } from './candidate';
import { CandidateMaker } from './candidate-maker';
import type { Failure } from './conditions';
import { GraphEdit } from './graph-builder';
import { HostJudge } from './judged-hosts';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { EMPTY_GRAPH } from './provider-graph';
import type { CandidateQuery } from './request-group';
import { prepareQuery } from './request-group';
import { isRootAllowed } from './root-required';
import { Anchor } from './sharing';
import { makeInventory, makeTree, withInventories } from './tree-builder';
import { Work } from './work';

export interface TreeCandidates {
  readonly list: readonly FoundCandidate[];
  /** The list can be incomplete. */
  readonly isCut: boolean;
  /** Why no placement exists regardless of capacity; null if one exists, or can exist. */
  readonly reason: Failure | null;
}

/** Sharing providers of other trees that a request under the tree's root can use, ascending by id. */
export function sharingSeen(graph: ProviderGraph, tree: Tree): readonly Provider[] {
  return new Anchor(graph, tree).sharing;
}

/** A graph of the tree and its sharing providers only, with unlimited capacity. */
export function unlimitedGraph(graph: ProviderGraph, tree: Tree): ProviderGraph {
  const edit = new GraphEdit(EMPTY_GRAPH);
  const trees = new Set([tree]);
  for (const { id } of sharingSeen(graph, tree)) {
    const other = graph.findTreeOf(id);
    if (other !== undefined) trees.add(other);
  }
  for (const each of trees) edit.put(unlimitedTree(each));
  return edit.done();
}

function unlimitedTree({ root, providers }: Tree): Tree {
  const unlimitedProviders = new Map(providers.map((provider) => [provider.id, unlimitedProvider(provider)]));
  return makeTree(unlimitedProviders.get(root.id) ?? root, [...unlimitedProviders.values()]);
}

function unlimitedProvider(provider: Provider): Provider {
  const inventories = provider.inventories.map((inventory) => {
    const facts = { ...inventory, capacity: Number.MAX_SAFE_INTEGER, maxUnit: MAX_INT };
    return makeInventory(facts, 0, inventory.version);
  });
  return withInventories(provider, inventories);
}

/** Steps for one tree, about 10 ms. If a tree needs more, its list is incomplete. */
const STEPS_PER_TREE_MAX = 100_000;

/** Up to `max` placements in a tree of an unlimited graph, or the reason why none exists. */
export function treeCandidates(
  graph: ProviderGraph,
  rootId: number,
  candidateQuery: CandidateQuery,
  max: number,
): TreeCandidates {
  const tree = graph.findTree(rootId);
  if (tree === undefined) return { list: [], isCut: false, reason: null };
  const query = prepareQuery(graph, candidateQuery);
  const list: FoundCandidate[] = [];
  // The search ends at the first pause.
  const work = new Work({ stepsBetweenPauses: STEPS_PER_TREE_MAX });
  const under = new AnchorSearch(graph, tree, query, work);
  const maker = new CandidateMaker(query);
  let step = isRootAllowed(tree.root, query) ? under.match() : 'none';
  while (step === 'found' && list.length < max) {
    step = under.next();
    if (step === 'found') list.push(maker.make(tree.root, under.ordered, under.chosen));
  }
  const isCut = step !== 'none' || under.isExhausted;
  const reason =
    list.length > 0 || isCut ? null : (new HostJudge(graph, candidateQuery).judge(tree)?.failures[0] ?? null);
  return { list, isCut, reason };
}
