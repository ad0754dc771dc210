// All ways in which one tree could take a request, regardless of usage and capacity: only the tree structure, traits,
// aggregates, minimum amounts and steps count. The caller checks the room. Law: a way is a candidate of the present
// graph exactly if each of its sums fits next to the usage and is at most max_unit.

import { MAX_INT } from '../domain/inventory';
import { AnchorSearch } from './anchor-search';
import type { FoundCandidate } from './candidate';
import { CandidateMaker } from './candidate-maker';
import { explainAnchor } from './explain-anchor';
import type { Reason } from './explain-anchor';
import { GraphEdit } from './graph-builder';
import { EMPTY_GRAPH } from './provider-graph';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { prepareQuery } from './request-group';
import type { CandidateQuery } from './request-group';
import { findRootFault } from './root-required';
import { Anchor } from './sharing';
import { makeInventory, makeTree, withInventories } from './tree-builder';
import { Work } from './work';

export interface TreeCandidates {
  readonly list: readonly FoundCandidate[];
  /** There may be more than were found. */
  readonly isCut: boolean;
  /** Why there is none regardless of capacity; null if there are some, or can be. */
  readonly reason: Reason | null;
}

/** Sharing providers of other trees that a request under the tree's root may use, ascending by id. */
export function sharingSeen(graph: ProviderGraph, tree: Tree): readonly Provider[] {
  return new Anchor(graph, tree).sharing;
}

/** The tree and the sharing providers that it sees, in a graph of their own that has room for everything. */
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
  const roomy = new Map(providers.map((provider) => [provider.id, unlimitedProvider(provider)]));
  return makeTree(roomy.get(root.id) ?? root, [...roomy.values()]);
}

function unlimitedProvider(provider: Provider): Provider {
  const inventories = provider.inventories.map((inventory) => {
    const facts = { ...inventory, capacity: Number.MAX_SAFE_INTEGER, maxUnit: MAX_INT };
    return makeInventory(facts, 0, inventory.version);
  });
  return withInventories(provider, inventories);
}

/** A tree that takes more steps may have more ways than are found: about 10 ms of them. */
const STEPS_PER_TREE_MAX = 100_000;

/** Up to `max` ways in which the tree of a roomy graph takes the request, and why there is none. */
export function treeCandidates(
  graph: ProviderGraph,
  rootId: number,
  asked: CandidateQuery,
  max: number,
): TreeCandidates {
  const tree = graph.findTree(rootId);
  if (tree === undefined) return { list: [], isCut: false, reason: null };
  const query = prepareQuery(graph, asked);
  const fault = findRootFault(tree.root, query);
  if (fault !== null) {
    return { list: [], isCut: false, reason: { stage: 'root', code: fault.code, params: { trait: fault.trait } } };
  }
  // Its first pause is its end.
  const work = new Work({ stepsBetweenPauses: STEPS_PER_TREE_MAX });
  const under = new AnchorSearch(graph, tree, query, work);
  const maker = new CandidateMaker(query);
  const list: FoundCandidate[] = [];
  let step = under.match();
  while (step === 'found' && list.length < max) {
    step = under.next();
    if (step === 'found') list.push(maker.make(tree.root, under.ordered, under.chosen));
  }
  const isCut = step !== 'none' || under.counter.isExhausted;
  const reason = list.length > 0 || isCut ? null : explainAnchor(graph, under, query, work);
  return { list, isCut, reason };
}
