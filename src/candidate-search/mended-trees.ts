// Which trees would have a candidate if one thing about each of them were otherwise. Each tree is changed by itself and
// asked again, so every rule of the search counts: units, traits of suffixed groups, sums, policies.

import { MAX_INT } from '../domain/inventory';
import { compareText } from '../domain/text-order';
import type { Walk } from '../domain/walk';
import { applyUsageWalk } from './graph-changes';
import { findInventory } from './provider-graph';
import type { Inventory, Provider, ProviderGraph, Tree } from './provider-graph';
import type { ResourceRequest } from './request-group';
import { makeInventory, makeProvider, makeTree, withInventories } from './tree-builder';
import { TreeFit } from './tree-fit';

/** One change to a tree. */
export type Mend =
  | { readonly kind: 'unchanged' }
  /** Every provider of the tree gets the traits, or loses them. */
  | { readonly kind: 'add_traits' | 'remove_traits'; readonly traits: readonly string[] }
  /** The root joins the aggregates, as a host joins a host aggregate. */
  | { readonly kind: 'join_aggregates'; readonly aggregates: readonly string[] }
  /** Every provider of the tree leaves the aggregates. */
  | { readonly kind: 'leave_aggregates'; readonly aggregates: readonly string[] }
  /** Every provider of the tree that has no inventory of the class gets one that is large enough for everything. */
  | { readonly kind: 'add_class'; readonly resourceClass: string }
  /** An amount of one inventory is no longer used. The provider may be a sharing one of another tree. */
  | { readonly kind: 'free'; readonly provider: string; readonly resourceClass: string; readonly amount: number };

/** Trees changed and asked between two chances to stop. */
const TREES_PER_STEP = 50;
/** A tree that takes more steps is not said to fit. */
const STEPS_PER_TREE_MAX = 20_000;

/** Of the roots given by id, each with its change, those that would have a candidate. */
export function* mendedTreesWalk(
  graph: ProviderGraph,
  request: ResourceRequest,
  mends: ReadonlyMap<number, Mend>,
): Walk<ReadonlySet<number>> {
  const bounds = { stepsPerAnchorMax: STEPS_PER_TREE_MAX };
  const fit = new TreeFit(graph, request, bounds);
  const fitsOfShared = new Map<string, TreeFit>();
  const fitting = new Set<number>();
  let judged = 0;
  for (const [rootId, mend] of mends) {
    if ((judged += 1) % TREES_PER_STEP === 0) yield;
    const tree = graph.findTree(rootId);
    if (tree === undefined) continue;
    const shared = mend.kind === 'free' ? sharedInventory(graph, tree, mend) : undefined;
    if (mend.kind !== 'free' || shared === undefined) {
      if (yield* fit.wouldFit(mendedTree(tree, mend))) fitting.add(rootId);
      continue;
    }
    const key = `${shared.id} ${mend.amount}`;
    let fitOfShared = fitsOfShared.get(key);
    if (fitOfShared === undefined) {
      const change = { inventoryId: shared.id, used: usedWithout(shared, mend.amount), version: shared.version + 1 };
      const { graph: freed } = yield* applyUsageWalk(graph, [change]);
      fitsOfShared.set(key, (fitOfShared = new TreeFit(freed, request, bounds)));
    }
    if (yield* fitOfShared.wouldFit(tree)) fitting.add(rootId);
  }
  return fitting;
}

const usedWithout = ({ used }: Inventory, amount: number): number => Math.max(0, used - amount);

/** The inventory to free, if a provider of another tree has it. */
function sharedInventory(
  graph: ProviderGraph,
  tree: Tree,
  { provider: uuid, resourceClass }: Mend & { readonly kind: 'free' },
): Inventory | undefined {
  const provider = graph.findProviderByUuid(uuid);
  return provider === undefined || provider.rootId === tree.root.id
    ? undefined
    : findInventory(provider, resourceClass);
}

function mendedTree(tree: Tree, mend: Mend): Tree {
  const providers = tree.providers.map((provider) => mendedProvider(provider, mend));
  return makeTree(providers.find(({ id }) => id === tree.root.id) ?? tree.root, providers);
}

function mendedProvider(provider: Provider, mend: Mend): Provider {
  const { traits, aggregates, inventories } = provider;
  switch (mend.kind) {
    case 'unchanged':
      return provider;
    case 'add_traits':
      return makeProvider(provider, new Set([...traits, ...mend.traits]), aggregates, inventories);
    case 'remove_traits': {
      const left = [...traits].filter((trait) => !mend.traits.includes(trait));
      return makeProvider(provider, new Set(left), aggregates, inventories);
    }
    case 'join_aggregates': {
      if (provider.id !== provider.rootId) return provider;
      const joined = [...new Set([...aggregates, ...mend.aggregates])].sort(compareText);
      return makeProvider(provider, traits, joined, inventories);
    }
    case 'leave_aggregates': {
      const left = aggregates.filter((aggregate) => !mend.aggregates.includes(aggregate));
      return makeProvider(provider, traits, left, inventories);
    }
    case 'add_class': {
      if (findInventory(provider, mend.resourceClass) !== undefined) return provider;
      const all = [...inventories, ampleInventory(provider, mend.resourceClass)];
      return withInventories(
        provider,
        all.sort((one, other) => compareText(one.resourceClass, other.resourceClass)),
      );
    }
    case 'free': {
      if (provider.uuid !== mend.provider) return provider;
      const freed = inventories.map((inventory) =>
        inventory.resourceClass === mend.resourceClass
          ? makeInventory(inventory, usedWithout(inventory, mend.amount), inventory.version)
          : inventory,
      );
      return withInventories(provider, freed);
    }
  }
}

function ampleInventory({ id: providerId }: Provider, resourceClass: string): Inventory {
  const record = { total: MAX_INT, reserved: 0, minUnit: 1, maxUnit: MAX_INT, stepSize: 1, allocationRatio: 1 };
  return makeInventory({ ...record, id: 0, providerId, resourceClass, capacity: MAX_INT, used: 0, version: 0 }, 0, 0);
}
