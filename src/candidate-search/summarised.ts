// What an answer of candidates describes besides them.

import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import type { Candidates, FoundCandidate } from './candidate';
import { findInTree } from './provider-graph';
import type { Provider, ProviderGraph, Tree } from './provider-graph';

/** Candidates or trees looked at between two chances to stop. */
const LOOKED_AT_PER_STEP = 500;

/** Since 1.29: every tree that gives resources to one of the candidates, whole; ascending by root. */
export function* treesWalk({ list, graph }: Candidates): Walk<readonly Tree[]> {
  const trees: Tree[] = [];
  for (const rootId of yield* rootsOf(list)) {
    const tree = graph.findTree(rootId);
    if (tree !== undefined) trees.push(tree);
  }
  return trees;
}

export const treesOf = (candidates: Candidates): readonly Tree[] => finish(treesWalk(candidates));

/** Before 1.29: the providers that give resources to one of the candidates; ascending by root, then by id. */
export function* providersWalk({ list, graph }: Candidates): Walk<readonly Provider[]> {
  const chosen = new Map<number, Set<number>>();
  for (let at = 0; at < list.length; at += 1) {
    if (at % LOOKED_AT_PER_STEP === LOOKED_AT_PER_STEP - 1) yield;
    const { providers, shape } = list[at] as FoundCandidate;
    for (const [place, provider] of providers.entries()) {
      if (shape.resources[place] === null) continue;
      const ids = chosen.get(provider.rootId);
      if (ids === undefined) chosen.set(provider.rootId, new Set([provider.id]));
      else ids.add(provider.id);
    }
  }
  return ascending(chosen.keys()).flatMap((rootId) => inOneTree(graph, rootId, chosen.get(rootId) ?? []));
}

export const providersOf = (candidates: Candidates): readonly Provider[] => finish(providersWalk(candidates));

function inOneTree(graph: ProviderGraph, rootId: number, ids: Iterable<number>): readonly Provider[] {
  const tree = graph.findTree(rootId);
  return tree === undefined ? [] : ascending(ids).flatMap((id) => findInTree(tree, id) ?? []);
}

/** Ascending, as most of them come anyway. */
function* rootsOf(list: readonly FoundCandidate[]): Walk<readonly number[]> {
  const rootIds: number[] = [];
  const late = new Set<number>();
  let highest = -1;
  /** Candidates that follow one another have much in common. */
  const lastAt: number[] = [];
  for (let at = 0; at < list.length; at += 1) {
    if (at % LOOKED_AT_PER_STEP === LOOKED_AT_PER_STEP - 1) yield;
    const { providers, shape } = list[at] as FoundCandidate;
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
