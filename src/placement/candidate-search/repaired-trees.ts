// Whether a host that fails one condition becomes a candidate when the condition is repaired on the host: it gets a trait, it
// joins an aggregate, some of an inventory is freed. The changed tree is searched again, so every rule of the search applies.

import { compareText } from '../../platform/values/text-order';
import type { Condition, Failure } from './conditions';
import { without } from './conditions';
import { applyUsage } from './graph-changes';
import type { Inventory, Provider, ProviderGraph, Tree } from './provider-graph';
import { findInventory, largestAmount } from './provider-graph';
import type { RequestGroup, ResourceRequest } from './request-group';
import { Anchor } from './sharing';
import { makeInventory, makeProvider, makeTree, withInventories } from './tree-builder';
import { TreeFit } from './tree-fit';

/** A tree that takes more steps does not count as repaired. */
const STEPS_PER_TREE_MAX = 20_000;

/** Providers of a tree on which an amount is freed for a try. */
const PROVIDERS_TRIED = 16;

export class RepairedTrees {
  private readonly fit: TreeFit;
  /** Searches of another graph or request, by what differs. */
  private readonly others = new Map<string, TreeFit>();

  constructor(
    private readonly graph: ProviderGraph,
    private readonly request: ResourceRequest,
  ) {
    this.fit = new TreeFit(graph, request, STEPS_PER_TREE_MAX);
  }

  /** The failure with the figures of its repair; null: repaired, the host still has no candidate. */
  repaired(tree: Tree, failure: Failure): Failure | null {
    const { condition, isNever } = failure;
    if (isNever) return null;
    if (condition.kind === 'resource') return this.withRoom(tree, failure);
    const changed = withCondition(tree, condition);
    return changed !== null && this.fit.wouldFit(changed) ? failure : null;
  }

  private withRoom(tree: Tree, failure: Failure): Failure | null {
    const { condition, code, params } = failure;
    if (code === 'on_several_providers') return this.split(tree, failure);
    const asked = condition.amount ?? 0;
    const offers = this.offersOf(tree, condition);
    const free = offers.reduce((sum, { inventory }) => sum + inventory.capacity - inventory.used, 0);
    const isOfOneGroup = condition.parts.length === 1;
    for (const { provider, inventory } of offers) {
      const { capacity, used } = inventory;
      const own = { asked, free: capacity - used, lacking: used + asked - capacity };
      const figures = isOfOneGroup ? own : { asked, free, lacking: asked - free };
      const amounts = isOfOneGroup ? [own.lacking] : [figures.lacking, own.lacking, Number(params['lacking'])];
      for (const lacking of amounts) {
        if (lacking <= 0 || lacking > used || !this.fitsWithFreed(tree, { provider, inventory }, lacking)) continue;
        const where = provider.id === tree.root.id ? {} : { provider_name: provider.name };
        return { ...failure, params: { ...figures, lacking, provider: provider.uuid, ...where } };
      }
    }
    return null;
  }

  /** Providers with the class that the tree can use, those with the most room first. */
  private offersOf(tree: Tree, { names: [resourceClass = ''] }: Condition): readonly FreedOffer[] {
    const { sharing } = new Anchor(this.graph, tree);
    return [...tree.providers, ...sharing]
      .flatMap((provider): FreedOffer[] => {
        const inventory = findInventory(provider, resourceClass);
        return inventory === undefined ? [] : [{ provider, inventory }];
      })
      .sort((one, other) => roomOf(other) - roomOf(one))
      .slice(0, PROVIDERS_TRIED);
  }

  private fitsWithFreed(tree: Tree, { provider, inventory }: FreedOffer, amount: number): boolean {
    const used = inventory.used - amount;
    if (provider.rootId === tree.root.id) {
      return this.fit.wouldFit(
        changedTree(tree, (each) =>
          each === provider
            ? withInventories(
                each,
                each.inventories.map((one) => (one === inventory ? makeInventory(one, used, one.version) : one)),
              )
            : each,
        ),
      );
    }
    const change = { inventoryId: inventory.id, used, version: inventory.version + 1 };
    return this.other(`${inventory.id} ${amount}`, () => [
      applyUsage(this.graph, [change]).graph,
      this.request,
    ]).wouldFit(tree);
  }

  /** Several request groups, each for the amount that one provider has. */
  private split(tree: Tree, failure: Failure): Failure | null {
    const { condition, params } = failure;
    const [part, ...others] = condition.parts;
    const [resourceClass = ''] = condition.names;
    if (part?.group !== '' || others.length > 0) return null;
    const amounts: number[] = [];
    let left = condition.amount ?? 0;
    const largest = this.offersOf(tree, condition).map(({ inventory }) => largestAmount(inventory));
    for (const most of largest.sort((one, other) => other - one)) {
      if (left === 0 || most === 0) break;
      amounts.push(Math.min(left, most));
      left -= Math.min(left, most);
    }
    const taken = new Set(this.request.groups.map(({ suffix }) => suffix));
    const suffixes = Array.from({ length: amounts.length + taken.size }, (_, at) => String(at + 1))
      .filter((suffix) => !taken.has(suffix))
      .slice(0, amounts.length);
    const groups = suffixes.map((suffix, at) => groupOf(suffix, resourceClass, amounts[at] ?? 0));
    const rest = without(this.request, condition);
    const request = { ...rest, groups: [...rest.groups, ...groups] };
    const fit = this.other(`${resourceClass} ${amounts.join()}`, () => [this.graph, request]);
    return left === 0 && fit.wouldFit(tree) ? { ...failure, params: { ...params, suffixes } } : null;
  }

  private other(key: string, of: () => readonly [ProviderGraph, ResourceRequest]): TreeFit {
    let fit = this.others.get(key);
    if (fit === undefined) this.others.set(key, (fit = new TreeFit(...of(), STEPS_PER_TREE_MAX)));
    return fit;
  }
}

interface FreedOffer {
  readonly provider: Provider;
  readonly inventory: Inventory;
}

const roomOf = ({ inventory }: FreedOffer): number => inventory.capacity - inventory.used;

const groupOf = (suffix: string, resourceClass: string, amount: number): RequestGroup => ({
  suffix,
  resources: new Map([[resourceClass, amount]]),
  requiredTraits: [],
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
});

/** All providers of the tree have, or lose, what the condition is about; of alternatives, the first. Null: it has no change. */
function withCondition(tree: Tree, { kind, names }: Condition): Tree | null {
  const [first = ''] = names;
  switch (kind) {
    case 'trait':
      return withTraits(tree, (traits) => [...traits, first]);
    case 'enabled':
    case 'forbidden_trait':
      return withTraits(tree, (traits) => traits.filter((trait) => !names.includes(trait)));
    case 'aggregate':
      return changedTree(tree, ({ id, traits, aggregates, inventories, ...identity }) =>
        makeProvider(
          { id, ...identity },
          traits,
          id === tree.root.id ? [...new Set([...aggregates, first])].sort(compareText) : aggregates,
          inventories,
        ),
      );
    case 'forbidden_aggregate':
      return changedTree(tree, ({ traits, aggregates, inventories, ...identity }) =>
        makeProvider(
          identity,
          traits,
          aggregates.filter((aggregate) => !names.includes(aggregate)),
          inventories,
        ),
      );
    default:
      return null;
  }
}

const withTraits = (tree: Tree, change: (traits: readonly string[]) => readonly string[]): Tree =>
  changedTree(tree, (provider) =>
    makeProvider(provider, new Set(change([...provider.traits])), provider.aggregates, provider.inventories),
  );

/** The tree with a trait on its root alone. */
export const withRootTrait = (tree: Tree, trait: string): Tree =>
  changedTree(tree, (provider) =>
    provider.id === tree.root.id
      ? makeProvider(provider, new Set([...provider.traits, trait]), provider.aggregates, provider.inventories)
      : provider,
  );

function changedTree(tree: Tree, change: (provider: Provider) => Provider): Tree {
  const providers = tree.providers.map(change);
  return makeTree(providers.find(({ id }) => id === tree.root.id) ?? tree.root, providers);
}
