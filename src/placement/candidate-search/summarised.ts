// The trees and providers that the summaries of an answer describe.

import type { Candidates, FoundCandidate } from './candidate';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { findInTree } from './provider-graph';

/** Since 1.29: every tree that gives resources to a candidate, with all its providers; ascending by root. */
export function treesOf({ list, graph }: Candidates): readonly Tree[] {
  const trees: Tree[] = [];
  for (const rootId of graph.sharingIds.length === 0 ? rootsOfTrees(list) : rootsOf(list)) {
    const tree = graph.findTree(rootId);
    if (tree !== undefined) trees.push(tree);
  }
  return trees;
}

/** Before 1.29: the providers that give resources to a candidate; ascending by root, then by id. */
export function providersOf({ list, graph }: Candidates): readonly Provider[] {
  const chosen = new Map<number, Set<number>>();
  for (const { providers, shape } of list) {
    for (const [place, provider] of providers.entries()) {
      if (shape.resources[place] === null) continue;
      const ids = chosen.get(provider.rootId);
      if (ids === undefined) chosen.set(provider.rootId, new Set([provider.id]));
      else ids.add(provider.id);
    }
  }
  return ascending(chosen.keys()).flatMap((rootId) => inOneTree(graph, rootId, chosen.get(rootId) ?? []));
}

function inOneTree(graph: ProviderGraph, rootId: number, ids: Iterable<number>): readonly Provider[] {
  const tree = graph.findTree(rootId);
  return tree === undefined ? [] : ascending(ids).flatMap((id) => findInTree(tree, id) ?? []);
}

/** Without sharing providers a candidate has all its providers in one tree. */
function rootsOfTrees(list: readonly FoundCandidate[]): readonly number[] {
  const rootIds = new Set<number>();
  for (const { providers } of list) if (providers[0] !== undefined) rootIds.add(providers[0].rootId);
  return ascending(rootIds);
}

/** Ascending; most candidates already come in this order. */
function rootsOf(list: readonly FoundCandidate[]): readonly number[] {
  const rootIds: number[] = [];
  const late = new Set<number>();
  let highest = -1;
  /** Consecutive candidates share most of their providers. */
  const lastAt: number[] = [];
  for (const { providers, shape } of list) {
    for (let place = 0; place < providers.length; place += 1) {
      const rootId = providers[place]?.rootId ?? 0;
      if (rootId === lastAt[place] || shape.resources[place] === null) continue;
      lastAt[place] = rootId;
      if (rootId > highest) rootIds.push((highest = rootId));
      else if (rootId !== highest) late.add(rootId);
    }
  }
  return late.size === 0 ? rootIds : ascending(new Set([...rootIds, ...late]));
}

function ascending(ids: Iterable<number>): readonly number[] {
  return [...ids].sort((first, second) => first - second);
}
