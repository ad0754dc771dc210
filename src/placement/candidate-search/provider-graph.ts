// The immutable snapshot for a search: trees of resource providers and the indexes that find them. Its layout is
// private to this folder. graph-changes.ts makes the next snapshot, which shares all unchanged parts.
//
//   ProviderGraph ── trees: root id → Tree ── providers (by id) ── inventories (by class)
//                 └─ indexes: class, trait, aggregate → root ids of the trees that hold it anywhere

import type { InventoryRecord } from '../domain/inventory';
import { IdIndex } from './id-index';
import { IdMap } from './id-map';
import { SharedLists } from './shared-lists';
import { hashText } from './text-hash';

/** One inventory of a provider with its usage. */
export interface Inventory extends InventoryRecord {
  readonly id: number;
  readonly providerId: number;
  readonly resourceClass: string;
  readonly capacity: number;
  readonly used: number;
  readonly version: number;
}

/**
 * One resource provider. A new object replaces it when one of its facts changes, including usage; otherwise snapshots
 * share the object, so readers can cache by identity.
 */
export interface Provider {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly parentId: number | null;
  readonly parentUuid: string | null;
  readonly rootId: number;
  readonly rootUuid: string;
  /** Ids from the root down to this provider, inclusive. */
  readonly path: readonly number[];
  /** Iterates in ascending order. */
  readonly traits: ReadonlySet<string>;
  /** Ascending. */
  readonly aggregates: readonly string[];
  /** Ascending by resource class. */
  readonly inventories: readonly Inventory[];
  readonly isSharing: boolean;
  /** A compute host reported it, at least once. */
  readonly wasReported: boolean;
}

/** A provider with the inventory that it offers, or with several inventories that are requested together. */
export interface Offer {
  readonly provider: Provider;
  readonly inventories: readonly Inventory[];
  /** Bit n: the provider meets the n-th required set of traits; 0 in a tree. */
  readonly traitMask: number;
}

/** The only constructor of offers: all have the same hidden class, which keeps reads of thousands of them fast. */
export function makeOffer(provider: Provider, inventories: readonly Inventory[], traitMask = 0): Offer {
  return { provider, inventories, traitMask };
}

/** A root with all its descendants. */
export interface Tree {
  readonly root: Provider;
  /** Ascending by id. */
  readonly providers: readonly Provider[];
  /**
   * For each resource class the offers of the tree, ascending by provider id, one inventory each. Null for a small
   * tree: reading its inventories directly is as fast and touches less memory.
   */
  readonly offers: ReadonlyMap<string, readonly Offer[]> | null;
  /** The distinct aggregates of all providers of the tree, ascending. */
  readonly aggregates: readonly string[];
  /** Cache slot for a serialized form of this tree; not part of the content. */
  text: string | null;
}

/** The layout of a snapshot, for the files of this folder that make snapshots. */
export interface GraphParts {
  readonly trees: IdMap<Tree>;
  /** Provider id to the id of its root. */
  readonly rootOf: IdMap<number>;
  /** Inventory row id to the id of its provider. */
  readonly holderOf: IdMap<number>;
  /** Hash of a uuid to the id of the provider with that hash, or to several ids on a collision. */
  readonly uuids: IdMap<number | readonly number[]>;
  readonly classes: IdIndex;
  readonly traits: IdIndex;
  readonly aggregates: IdIndex;
  /** Aggregate to the ids of its sharing providers (not of their roots). */
  readonly sharing: IdIndex;
  /** Key ROOTS: all root ids. Key SHARERS: the ids of all sharing providers. */
  readonly everything: IdIndex;
  /** Shared by this snapshot and all later ones made from it. */
  readonly shared: SharedLists;
}

export const ROOTS = 'roots';
export const SHARERS = 'sharers';

/** An immutable snapshot of all resource providers. */
export class ProviderGraph {
  private readonly sharers = new Map<string, readonly Provider[]>();

  constructor(readonly parts: GraphParts) {}

  /** Ids of all roots, ascending. */
  get rootIds(): readonly number[] {
    return this.parts.everything.get(ROOTS);
  }

  /** Ids of all sharing providers, ascending. */
  get sharingIds(): readonly number[] {
    return this.parts.everything.get(SHARERS);
  }

  findTree(rootId: number): Tree | undefined {
    return this.parts.trees.get(rootId);
  }

  /** The tree that holds the provider at any level. */
  findTreeOf(providerId: number): Tree | undefined {
    const rootId = this.parts.rootOf.get(providerId);
    return rootId === undefined ? undefined : this.parts.trees.get(rootId);
  }

  findProvider(providerId: number): Provider | undefined {
    const tree = this.findTreeOf(providerId);
    return tree === undefined ? undefined : findInTree(tree, providerId);
  }

  findProviderByUuid(uuid: string): Provider | undefined {
    for (const id of idsOf(this.parts.uuids.get(hashUuid(uuid)))) {
      const provider = this.findProvider(id);
      if (provider?.uuid === uuid) return provider;
    }
    return undefined;
  }

  /** Roots of the trees with an inventory of the class on any provider, ascending. */
  rootsWithClass(resourceClass: string): readonly number[] {
    return this.parts.classes.get(resourceClass);
  }

  /** Roots of the trees with the trait on any provider, ascending. */
  rootsWithTrait(trait: string): readonly number[] {
    return this.parts.traits.get(trait);
  }

  /** Roots of the trees with any provider in the aggregate, ascending. */
  rootsWithAggregate(aggregate: string): readonly number[] {
    return this.parts.aggregates.get(aggregate);
  }

  /** The sharing providers in the aggregate, ascending by id. */
  sharingInAggregate(aggregate: string): readonly Provider[] {
    // Cached, because every tree of an aggregate needs the same few providers.
    let providers = this.sharers.get(aggregate);
    if (providers === undefined) {
      providers = this.parts.sharing.get(aggregate).flatMap((id) => this.findProvider(id) ?? []);
      this.sharers.set(aggregate, providers);
    }
    return providers;
  }
}

export const EMPTY_GRAPH = new ProviderGraph({
  trees: new IdMap(),
  rootOf: new IdMap(),
  holderOf: new IdMap(),
  uuids: new IdMap(),
  classes: new IdIndex(),
  traits: new IdIndex(),
  aggregates: new IdIndex(),
  sharing: new IdIndex(),
  everything: new IdIndex(),
  shared: new SharedLists(),
});

/** Finds a provider of the tree by its id. */
export function findInTree(tree: Tree, providerId: number): Provider | undefined {
  let low = 0;
  let high = tree.providers.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const provider = tree.providers[middle];
    if (provider === undefined || provider.id === providerId) return provider;
    if (provider.id < providerId) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

export function findInventory(provider: Provider, resourceClass: string): Inventory | undefined {
  for (const inventory of provider.inventories) if (inventory.resourceClass === resourceClass) return inventory;
  return undefined;
}

/**
 * The largest allocation that is still possible: at most the free amount and max_unit, a multiple of step_size, or 0.
 */
export function largestAmount({ capacity, used, minUnit, maxUnit, stepSize }: Inventory): number {
  const most = Math.min(capacity - used, maxUnit);
  const amount = most - (most % stepSize);
  return amount >= Math.max(1, minUnit) ? amount : 0;
}

/** True when `above` is `below` itself or one of its ancestors. */
export function isAncestorOrSelf(above: Provider, below: Provider): boolean {
  return below.path[above.path.length - 1] === above.id;
}

/** Distributes uuids over a fixed range of buckets. */
export function hashUuid(uuid: string): number {
  return hashText(uuid) & 0xfffff;
}

/** The ids in a bucket of uuids. */
export function idsOf(bucket: number | readonly number[] | undefined): readonly number[] {
  if (bucket === undefined) return [];
  return typeof bucket === 'number' ? [bucket] : bucket;
}
