// Makes the next snapshot from this one: replaces whole trees from fresh rows, or updates the usage of single
// inventories. It does not modify the given graph; running searches can continue to use it.

import type { Task } from '../../platform/values/task';
import { forEachInSteps } from '../../platform/values/task';
import { buildTrees, GraphEdit } from './graph-builder';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { findInTree } from './provider-graph';
import type { LoadedRows } from './tree-builder';
import { makeInventory, makeTree, withInventories } from './tree-builder';

/** The absolute usage of one inventory row at one version of the row. */
export interface UsageChange {
  readonly inventoryId: number;
  readonly used: number;
  readonly version: number;
}

interface UsageOutcome {
  readonly graph: ProviderGraph;
  /** Inventory ids that the graph does not have; the trees of their providers must be replaced. */
  readonly unknownIds: readonly number[];
}

/**
 * Rebuilds the trees that hold a touched provider, in the graph or in `rows`. `rows` must contain those trees
 * completely; other rows are ignored. A touched provider without a row is removed. Providers that the rows move out of
 * another tree leave that tree, with all their descendants.
 */
export function* replaceTrees(
  graph: ProviderGraph,
  touchedProviderIds: Iterable<number>,
  rows: LoadedRows,
): Task<ProviderGraph> {
  const affected = affectedRoots(graph, touchedProviderIds, rows);
  const trees = yield* buildTrees(rows, (rootId) => affected.has(rootId), graph.parts.shared);
  const edit = new GraphEdit(graph);
  yield* forEachInSteps(affected, (rootId) => {
    const before = graph.findTree(rootId);
    if (before !== undefined) edit.take(before);
  });
  for (const [losing, claimed] of claimedElsewhere(graph, affected, trees)) {
    edit.take(losing);
    const rest = losing.providers.filter((provider) => !provider.path.some((id) => claimed.has(id)));
    if (rest.length > 0) edit.put(makeTree(losing.root, rest));
  }
  yield* forEachInSteps(trees, (tree) => edit.put(tree));
  return edit.done();
}

/**
 * Sets the usage of inventory rows. A change applies only if its version is higher than the version in the graph, so
 * repeated or late changes have no effect.
 */
export function applyUsage(graph: ProviderGraph, changes: Iterable<UsageChange>): UsageOutcome {
  const unknownIds: number[] = [];
  const perTree = new Map<Tree, Map<number, Map<number, UsageChange>>>();
  for (const change of changes) {
    const providerId = graph.parts.holderOf.get(change.inventoryId);
    const tree = providerId === undefined ? undefined : graph.findTreeOf(providerId);
    if (providerId === undefined || tree === undefined) {
      unknownIds.push(change.inventoryId);
      continue;
    }
    const perProvider = childMap(perTree, tree);
    const perInventory = childMap(perProvider, providerId);
    const earlier = perInventory.get(change.inventoryId);
    if (earlier === undefined || earlier.version < change.version) perInventory.set(change.inventoryId, change);
  }
  const edit = new GraphEdit(graph);
  for (const [tree, perProvider] of perTree) {
    const changed = treeWithUsage(tree, perProvider);
    if (changed !== tree) edit.replaceUsage(changed);
  }
  return { graph: edit.done(), unknownIds };
}

/**
 * The touched providers and the roots of the trees that hold them in the graph: the trees to read for `replaceTrees`.
 */
export function treesConcerned(graph: ProviderGraph, touched: Iterable<number>): readonly number[] {
  const ids = new Set<number>();
  for (const id of touched) {
    ids.add(id);
    const rootId = graph.parts.rootOf.get(id);
    if (rootId !== undefined) ids.add(rootId);
  }
  return [...ids];
}

function affectedRoots(graph: ProviderGraph, touched: Iterable<number>, rows: LoadedRows): ReadonlySet<number> {
  const touchedIds = new Set<number>();
  const affected = new Set<number>();
  for (const id of touched) {
    touchedIds.add(id);
    const rootId = graph.parts.rootOf.get(id);
    if (rootId !== undefined) affected.add(rootId);
  }
  for (const row of rows.providers) {
    if (touchedIds.has(row.id)) affected.add(row.rootId);
  }
  return affected;
}

/** Trees outside `affected` that hold providers of the new trees, with the ids of these providers. */
function claimedElsewhere(
  graph: ProviderGraph,
  affected: ReadonlySet<number>,
  trees: readonly Tree[],
): ReadonlyMap<Tree, ReadonlySet<number>> {
  const claims = new Map<Tree, Set<number>>();
  for (const tree of trees) {
    for (const { id } of tree.providers) {
      const holder = graph.findTreeOf(id);
      if (holder === undefined || affected.has(holder.root.id)) continue;
      const ids = claims.get(holder);
      if (ids === undefined) claims.set(holder, new Set([id]));
      else ids.add(id);
    }
  }
  return claims;
}

function treeWithUsage(tree: Tree, perProvider: ReadonlyMap<number, ReadonlyMap<number, UsageChange>>): Tree {
  const replaced = new Map<number, Provider>();
  for (const [providerId, perInventory] of perProvider) {
    const before = findInTree(tree, providerId);
    const after = before === undefined ? undefined : providerWithUsage(before, perInventory);
    if (after !== undefined && after !== before) replaced.set(providerId, after);
  }
  if (replaced.size === 0) return tree;
  const providers = tree.providers.map((provider) => replaced.get(provider.id) ?? provider);
  return makeTree(replaced.get(tree.root.id) ?? tree.root, providers);
}

function providerWithUsage(provider: Provider, changes: ReadonlyMap<number, UsageChange>): Provider {
  let isChanged = false;
  const inventories = provider.inventories.map((inventory) => {
    const change = changes.get(inventory.id);
    if (change === undefined || change.version <= inventory.version) return inventory;
    isChanged = true;
    return makeInventory(inventory, change.used, change.version);
  });
  return isChanged ? withInventories(provider, inventories) : provider;
}

function childMap<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let child = maps.get(key);
  if (child === undefined) maps.set(key, (child = new Map<L, V>()));
  return child;
}
