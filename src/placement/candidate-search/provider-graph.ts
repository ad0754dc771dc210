// The immutable snapshot a search works on: trees of resource providers and the indexes that find them.
// Its layout is this folder's business. A snapshot never changes: graph-changes.ts makes the next one from it and
// shares whatever stayed the same.
//
//   ProviderGraph ── trees: root id → Tree ── providers (by id) ── inventories (by class)
//                 └─ indexes: class, trait, aggregate → root ids of the trees that hold it anywhere

import type { InventoryRecord } from '../domain/inventory';
import { IdIndex } from './id-index';
import { IdMap } from './id-map';
import { SharedLists } from './shared-lists';
import { hashText } from './text-hash';

/** What a provider has of one resource class, with what of it is used. */
export interface Inventory extends InventoryRecord {
  readonly id: number;
  readonly providerId: number;
  readonly resourceClass: string;
  readonly capacity: number;
  readonly used: number;
  readonly version: number;
}

/**
 * One resource provider. The object is replaced whenever one of its facts changes, usage included, and kept by
 * snapshots in which none did: whoever renders it may cache by identity.
 */
export interface Provider {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly parentId: number | null;
  readonly parentUuid: string | null;
  readonly rootId: number;
  readonly rootUuid: string;
  /** Ids from the root down to this provider, both included. */
  readonly path: readonly number[];
  /** Iterates in ascending order. */
  readonly traits: ReadonlySet<string>;
  /** Ascending. */
  readonly aggregates: readonly string[];
  /** Ascending by resource class. */
  readonly inventories: readonly Inventory[];
  readonly isSharing: boolean;
}

/** A provider with one inventory that it has to offer, or with several that are asked of it together. */
export interface Offer {
  readonly provider: Provider;
  readonly inventories: readonly Inventory[];
  /** Bit n: the provider meets the n-th of the sets of traits that somebody asks for; 0 in a tree. */
  readonly traitMask: number;
}

/** The one maker of offers: a search looks at thousands, and reads fastest what is all of one make. */
export function makeOffer(provider: Provider, inventories: readonly Inventory[], traitMask = 0): Offer {
  return { provider, inventories, traitMask };
}

/** A root and everything below it. */
export interface Tree {
  readonly root: Provider;
  /** Ascending by id. */
  readonly providers: readonly Provider[];
  /**
   * Resource class to what the tree's providers have of it, ascending by provider id; one inventory in each. Null for a
   * small tree: to go through its inventories is as fast, and touches less memory.
   */
  readonly offers: ReadonlyMap<string, readonly Offer[]> | null;
  /** The aggregates of all providers of the tree, distinct, ascending. */
  readonly aggregates: readonly string[];
  /** Room for whoever writes trees as text, to keep it for as long as the tree is this one. Says nothing of the tree. */
  text: string | null;
}

/** The layout of a snapshot, for the files of this folder that make snapshots. */
export interface GraphParts {
  readonly trees: IdMap<Tree>;
  /** Provider id to the id of its root. */
  readonly rootOf: IdMap<number>;
  /** Inventory row id to the id of its provider. */
  readonly holderOf: IdMap<number>;
  /** Hash of a uuid to the id of the provider with that hash, or to the ids of those that share it. */
  readonly uuids: IdMap<number | readonly number[]>;
  readonly classes: IdIndex;
  readonly traits: IdIndex;
  readonly aggregates: IdIndex;
  /** Aggregate to the ids of the sharing providers (not the roots) in it. */
  readonly sharing: IdIndex;
  /** The key ROOTS to all root ids, the key SHARERS to the ids of all sharing providers. */
  readonly everything: IdIndex;
  /** Of this snapshot and of those made from it. */
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

  /** The tree that holds the provider, wherever in it the provider sits. */
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

  /** Roots of the trees with an inventory of the class anywhere in them, ascending. */
  rootsWithClass(resourceClass: string): readonly number[] {
    return this.parts.classes.get(resourceClass);
  }

  /** Roots of the trees with the trait anywhere in them, ascending. */
  rootsWithTrait(trait: string): readonly number[] {
    return this.parts.traits.get(trait);
  }

  /** Roots of the trees with a member of the aggregate anywhere in them, ascending. */
  rootsWithAggregate(aggregate: string): readonly number[] {
    return this.parts.aggregates.get(aggregate);
  }

  /** The sharing providers in the aggregate, ascending by id. */
  sharingInAggregate(aggregate: string): readonly Provider[] {
    // Every tree of an aggregate asks for the same few.
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

/** True when `above` is `below` itself or one of its ancestors. */
export function isAncestorOrSelf(above: Provider, below: Provider): boolean {
  return below.path[above.path.length - 1] === above.id;
}

/** Spreads uuids over a fixed range of buckets. */
export function hashUuid(uuid: string): number {
  return hashText(uuid) & 0xfffff;
}

/** What is in a bucket of uuids. */
export function idsOf(bucket: number | readonly number[] | undefined): readonly number[] {
  if (bucket === undefined) return [];
  return typeof bucket === 'number' ? [bucket] : bucket;
}
