// Which trees would have a candidate after one change. Each tree is changed separately and searched again, so every
// rule of the search applies: units, traits of suffixed groups, sums, policies.

import { compareText } from '../../platform/values/text-order';
import { MAX_INT } from '../domain/inventory';
import { applyUsage } from './graph-changes';
import type { Inventory, Provider, ProviderGraph, Tree } from './provider-graph';
import { findInventory } from './provider-graph';
import type { ResourceRequest } from './request-group';
import { makeInventory, makeProvider, makeTree, withInventories } from './tree-builder';
import { TreeFit } from './tree-fit';

/** One change to a tree. */
export type TreeChange =
  | { readonly kind: 'unchanged' }
  /** Adds the traits to, or removes them from, every provider of the tree. */
  | { readonly kind: 'add_traits' | 'remove_traits'; readonly traits: readonly string[] }
  /** Adds the traits to the root alone. */
  | { readonly kind: 'add_root_traits'; readonly traits: readonly string[] }
  /** The root joins the aggregates, like a host that joins a host aggregate. */
  | { readonly kind: 'join_aggregates'; readonly aggregates: readonly string[] }
  /** Every provider of the tree leaves the aggregates. */
  | { readonly kind: 'leave_aggregates'; readonly aggregates: readonly string[] }
  /** Adds an inventory of the class with unlimited capacity to every provider of the tree without one. */
  | { readonly kind: 'add_class'; readonly resourceClass: string }
  /** Frees an amount of one inventory. The provider can be a sharing provider of another tree. */
  | { readonly kind: 'free'; readonly provider: string; readonly resourceClass: string; readonly amount: number };

/** A tree that takes more steps does not count as fitting. */
const STEPS_PER_TREE_MAX = 20_000;

/** Whether trees would have a candidate after a change. */
export class ChangedTrees {
  private readonly bounds = { stepsPerAnchorMax: STEPS_PER_TREE_MAX };
  private readonly fit: TreeFit;
  private readonly fitsOfShared = new Map<string, TreeFit>();

  constructor(
    private readonly graph: ProviderGraph,
    private readonly request: ResourceRequest,
  ) {
    this.fit = new TreeFit(graph, request, this.bounds);
  }

  fits(rootId: number, treeChange: TreeChange): boolean {
    const tree = this.graph.findTree(rootId);
    if (tree === undefined) return false;
    const shared = treeChange.kind === 'free' ? sharedInventory(this.graph, tree, treeChange) : undefined;
    if (treeChange.kind !== 'free' || shared === undefined) return this.fit.wouldFit(changedTree(tree, treeChange));
    return this.fitWithout(shared, treeChange.amount).wouldFit(tree);
  }

  private fitWithout(shared: Inventory, amount: number): TreeFit {
    const key = `${shared.id} ${amount}`;
    let fit = this.fitsOfShared.get(key);
    if (fit === undefined) {
      const change = { inventoryId: shared.id, used: usedWithout(shared, amount), version: shared.version + 1 };
      fit = new TreeFit(applyUsage(this.graph, [change]).graph, this.request, this.bounds);
      this.fitsOfShared.set(key, fit);
    }
    return fit;
  }
}

const usedWithout = ({ used }: Inventory, amount: number): number => Math.max(0, used - amount);

/** The inventory to free, if a provider of another tree has it. */
function sharedInventory(
  graph: ProviderGraph,
  tree: Tree,
  { provider: uuid, resourceClass }: TreeChange & { readonly kind: 'free' },
): Inventory | undefined {
  const provider = graph.findProviderByUuid(uuid);
  return provider === undefined || provider.rootId === tree.root.id
    ? undefined
    : findInventory(provider, resourceClass);
}

function changedTree(tree: Tree, treeChange: TreeChange): Tree {
  const providers = tree.providers.map((provider) => changedProvider(provider, treeChange));
  return makeTree(providers.find(({ id }) => id === tree.root.id) ?? tree.root, providers);
}

function changedProvider(provider: Provider, treeChange: TreeChange): Provider {
  const { traits, aggregates, inventories } = provider;
  switch (treeChange.kind) {
    case 'unchanged':
      return provider;
    case 'add_traits':
      return makeProvider(provider, new Set([...traits, ...treeChange.traits]), aggregates, inventories);
    case 'add_root_traits':
      if (provider.id !== provider.rootId) return provider;
      return makeProvider(provider, new Set([...traits, ...treeChange.traits]), aggregates, inventories);
    case 'remove_traits': {
      const left = [...traits].filter((trait) => !treeChange.traits.includes(trait));
      return makeProvider(provider, new Set(left), aggregates, inventories);
    }
    case 'join_aggregates': {
      if (provider.id !== provider.rootId) return provider;
      const joined = [...new Set([...aggregates, ...treeChange.aggregates])].sort(compareText);
      return makeProvider(provider, traits, joined, inventories);
    }
    case 'leave_aggregates': {
      const left = aggregates.filter((aggregate) => !treeChange.aggregates.includes(aggregate));
      return makeProvider(provider, traits, left, inventories);
    }
    case 'add_class': {
      if (findInventory(provider, treeChange.resourceClass) !== undefined) return provider;
      const all = [...inventories, unlimitedInventory(provider, treeChange.resourceClass)];
      return withInventories(
        provider,
        all.sort((one, other) => compareText(one.resourceClass, other.resourceClass)),
      );
    }
    case 'free': {
      if (provider.uuid !== treeChange.provider) return provider;
      const freed = inventories.map((inventory) =>
        inventory.resourceClass === treeChange.resourceClass
          ? makeInventory(inventory, usedWithout(inventory, treeChange.amount), inventory.version)
          : inventory,
      );
      return withInventories(provider, freed);
    }
  }
}

function unlimitedInventory({ id: providerId }: Provider, resourceClass: string): Inventory {
  const record = { total: MAX_INT, reserved: 0, minUnit: 1, maxUnit: MAX_INT, stepSize: 1, allocationRatio: 1 };
  return makeInventory({ ...record, id: 0, providerId, resourceClass, capacity: MAX_INT, used: 0, version: 0 }, 0, 0);
}
