// Rows to graph: the one way a snapshot is made, used by loaders, tests and benchmarks alike.
// Trees are built whole; a GraphEdit files them in the indexes and shares everything it does not touch.

import { assert } from '../domain/assert';
import type { InventoryRecord } from '../domain/inventory';
import { SHARING_TRAIT } from '../domain/names';
import type { GraphParts, Inventory, Offer, Provider, Tree, UuidEntry } from './provider-graph';
import { EMPTY_GRAPH, ProviderGraph, ROOTS, SHARERS, hashUuid } from './provider-graph';

export interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parentId: number | null;
  readonly rootId: number;
}

export interface InventoryRow extends InventoryRecord {
  readonly id: number;
  readonly providerId: number;
  readonly resourceClass: string;
  readonly capacity: number;
  readonly used: number;
  readonly version: number;
}

export interface ProviderTraitRow {
  readonly providerId: number;
  readonly trait: string;
}

export interface ProviderAggregateRow {
  readonly providerId: number;
  readonly aggregate: string;
}

/** The tables a graph is made of, in any order. */
export interface GraphRows {
  readonly providers: readonly ProviderRow[];
  readonly inventories: readonly InventoryRow[];
  readonly traits: readonly ProviderTraitRow[];
  readonly aggregates: readonly ProviderAggregateRow[];
}

/** The snapshot of exactly these rows. Every provider's parent and root must be among them. */
export function buildGraph(rows: GraphRows): ProviderGraph {
  const edit = new GraphEdit(EMPTY_GRAPH);
  for (const tree of buildTrees(rows, () => true)) edit.put(tree);
  return edit.done();
}

/** The trees of the rows whose root id passes `wanted`. Rows of other trees are not looked at. */
export function buildTrees(rows: GraphRows, wanted: (rootId: number) => boolean): Tree[] {
  const members = new Map<number, ProviderRow[]>();
  for (const row of rows.providers) if (wanted(row.rootId)) append(members, row.rootId, row);
  const facts: Facts = { inventories: new Map(), traits: new Map(), aggregates: new Map(), shared: new Map() };
  for (const row of rows.inventories) append(facts.inventories, row.providerId, row);
  for (const row of rows.traits) append(facts.traits, row.providerId, row.trait);
  for (const row of rows.aggregates) append(facts.aggregates, row.providerId, row.aggregate);
  return [...members].map(([rootId, providers]) => buildTree(rootId, providers, facts));
}

/** A tree of these providers; `providers` ascend by id and hold their root. */
export function makeTree(root: Provider, providers: readonly Provider[]): Tree {
  const offers = new Map<string, Offer[]>();
  for (const provider of providers) {
    for (const inventory of provider.inventories) append(offers, inventory.resourceClass, { provider, inventory });
  }
  const aggregates =
    providers.length === 1
      ? root.aggregates
      : [...new Set(providers.flatMap((provider) => provider.aggregates))].sort(compareText);
  return { root, providers, offers, aggregates };
}

/** Collects trees to put and to take away; `done` yields the next snapshot. */
export class GraphEdit {
  private readonly trees;
  private readonly rootOf;
  private readonly holderOf;
  private readonly uuids;
  private readonly classes;
  private readonly traits;
  private readonly aggregates;
  private readonly sharing;
  private readonly everything;

  constructor(base: ProviderGraph) {
    this.trees = base.parts.trees.edit();
    this.rootOf = base.parts.rootOf.edit();
    this.holderOf = base.parts.holderOf.edit();
    this.uuids = base.parts.uuids.edit();
    this.classes = base.parts.classes.edit();
    this.traits = base.parts.traits.edit();
    this.aggregates = base.parts.aggregates.edit();
    this.sharing = base.parts.sharing.edit();
    this.everything = base.parts.everything.edit();
  }

  put(tree: Tree): void {
    this.trees.set(tree.root.id, tree);
    for (const provider of tree.providers) {
      this.rootOf.set(provider.id, tree.root.id);
      for (const inventory of provider.inventories) this.holderOf.set(inventory.id, provider.id);
      const hash = hashUuid(provider.uuid);
      const entry: UuidEntry = { uuid: provider.uuid, id: provider.id };
      this.uuids.set(hash, [...(this.uuids.get(hash) ?? []), entry]);
    }
    this.fileKeys(tree, 'file');
  }

  /** Takes a whole tree away. Trees that take over its providers are put afterwards. */
  take(tree: Tree): void {
    this.trees.delete(tree.root.id);
    for (const provider of tree.providers) {
      this.rootOf.delete(provider.id);
      for (const inventory of provider.inventories) this.holderOf.delete(inventory.id);
      const hash = hashUuid(provider.uuid);
      const others = (this.uuids.get(hash) ?? []).filter((entry) => entry.id !== provider.id);
      if (others.length === 0) this.uuids.delete(hash);
      else this.uuids.set(hash, others);
    }
    this.fileKeys(tree, 'strike');
  }

  /** Puts a tree of the same providers with the same classes, traits and aggregates: only usage differs. */
  replaceUsage(tree: Tree): void {
    this.trees.set(tree.root.id, tree);
  }

  done(): ProviderGraph {
    const parts: GraphParts = {
      trees: this.trees.done(),
      rootOf: this.rootOf.done(),
      holderOf: this.holderOf.done(),
      uuids: this.uuids.done(),
      classes: this.classes.done(),
      traits: this.traits.done(),
      aggregates: this.aggregates.done(),
      sharing: this.sharing.done(),
      everything: this.everything.done(),
    };
    return new ProviderGraph(parts);
  }

  private fileKeys(tree: Tree, change: 'file' | 'strike'): void {
    const rootId = tree.root.id;
    this.everything[change](ROOTS, rootId);
    for (const resourceClass of tree.offers.keys()) this.classes[change](resourceClass, rootId);
    for (const trait of traitsOf(tree)) this.traits[change](trait, rootId);
    for (const aggregate of tree.aggregates) this.aggregates[change](aggregate, rootId);
    for (const provider of tree.providers) {
      if (!provider.isSharing) continue;
      this.everything[change](SHARERS, provider.id);
      for (const aggregate of provider.aggregates) this.sharing[change](aggregate, provider.id);
    }
  }
}

interface Facts {
  readonly inventories: Map<number, InventoryRow[]>;
  readonly traits: Map<number, string[]>;
  readonly aggregates: Map<number, string[]>;
  /** Equal trait sets are one object: most hosts of a cloud have the same few dozen traits. */
  readonly shared: Map<string, ReadonlySet<string>>;
}

function buildTree(rootId: number, rows: readonly ProviderRow[], facts: Facts): Tree {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const rootRow = byId.get(rootId);
  assert(rootRow !== undefined && rootRow.parentId === null, 'the root of a tree is among its rows and has no parent');
  const providers = rows
    .map((row) => buildProvider(row, rootRow, byId, facts))
    .sort((first, second) => first.id - second.id);
  const root = providers.find((provider) => provider.id === rootId);
  assert(root !== undefined, 'a tree holds its root');
  return makeTree(root, providers);
}

function buildProvider(
  row: ProviderRow,
  root: ProviderRow,
  byId: ReadonlyMap<number, ProviderRow>,
  facts: Facts,
): Provider {
  const traits = shareTraits(facts.traits.get(row.id) ?? [], facts.shared);
  return {
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    generation: row.generation,
    parentId: row.parentId,
    parentUuid: row.parentId === null ? null : (byId.get(row.parentId)?.uuid ?? null),
    rootId: root.id,
    rootUuid: root.uuid,
    path: pathOf(row, root.id, byId),
    traits,
    aggregates: [...new Set(facts.aggregates.get(row.id) ?? [])].sort(compareText),
    inventories: (facts.inventories.get(row.id) ?? []).map(toInventory).sort(byClass),
    isSharing: traits.has(SHARING_TRAIT),
  };
}

function pathOf(row: ProviderRow, rootId: number, byId: ReadonlyMap<number, ProviderRow>): readonly number[] {
  const path = [row.id];
  for (let at = row; at.parentId !== null;) {
    const parent = byId.get(at.parentId);
    assert(parent !== undefined, 'a provider and its parent are in the same tree');
    assert(path.length <= byId.size, 'no provider is its own ancestor');
    path.push(parent.id);
    at = parent;
  }
  assert(path[path.length - 1] === rootId, 'climbing from a provider ends at its root');
  return path.reverse();
}

function toInventory(row: InventoryRow): Inventory {
  const { id, providerId, resourceClass, capacity, used, version } = row;
  const { total, reserved, minUnit, maxUnit, stepSize, allocationRatio } = row;
  return {
    ...{ id, providerId, resourceClass, capacity, used, version },
    ...{ total, reserved, minUnit, maxUnit, stepSize, allocationRatio },
  };
}

function shareTraits(names: readonly string[], shared: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const sorted = [...names].sort(compareText);
  const key = sorted.join();
  let traits = shared.get(key);
  if (traits === undefined) shared.set(key, (traits = new Set(sorted)));
  return traits;
}

function traitsOf(tree: Tree): ReadonlySet<string> {
  if (tree.providers.length === 1) return tree.root.traits;
  return new Set(tree.providers.flatMap((provider) => [...provider.traits]));
}

function byClass(first: Inventory, second: Inventory): number {
  return compareText(first.resourceClass, second.resourceClass);
}

/** Orders by code units: the same everywhere, whatever the locale. */
export function compareText(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
