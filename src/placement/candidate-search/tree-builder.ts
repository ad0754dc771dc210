// From rows to trees: providers with their facts, one whole tree at a time. The only place that constructs providers
// and inventories, so all have the same hidden class, and a search reads thousands of them fast.

import { assert } from '../../platform/values/assert';
import { addTo } from '../../platform/values/lists-by-key';
import { SHARING_TRAIT } from '../../platform/values/names';
import { compareText } from '../../platform/values/text-order';
import type { Inventory, Offer, Provider, Tree } from './provider-graph';
import { makeOffer } from './provider-graph';
import type { SharedLists } from './shared-lists';

export interface ProviderRow {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly parentId: number | null;
  readonly rootId: number;
  readonly wasReported?: boolean;
}

export type InventoryRow = Inventory;

interface ProviderTraitRow {
  readonly providerId: number;
  readonly trait: string;
}

interface ProviderAggregateRow {
  readonly providerId: number;
  readonly aggregate: string;
}

/** The tables of a graph, in any order. */
export interface GraphRows {
  readonly providers: readonly ProviderRow[];
  readonly inventories: readonly InventoryRow[];
  readonly traits: readonly ProviderTraitRow[];
  readonly aggregates: readonly ProviderAggregateRow[];
}

/** The same as a loader reads them. */
export interface LoadedRows extends Omit<GraphRows, 'traits'> {
  readonly traits: Iterable<GraphRows['traits'][number]>;
}

/** Trees up to this number of providers have no index of offers. */
const SMALL_TREE_PROVIDERS = 8;

/** A tree of these providers; `providers` must ascend by id and include their root. */
export function makeTree(root: Provider, providers: readonly Provider[]): Tree {
  if (providers.length === 1) return { root, providers, offers: null, aggregates: root.aggregates, text: null };
  const aggregates = [...new Set(providers.flatMap((provider) => provider.aggregates))].sort(compareText);
  if (providers.length <= SMALL_TREE_PROVIDERS) return { root, providers, offers: null, aggregates, text: null };
  const offers = new Map<string, Offer[]>();
  for (const provider of providers) {
    for (const inventory of provider.inventories)
      addTo(offers, inventory.resourceClass, makeOffer(provider, [inventory]));
  }
  return { root, providers, offers, aggregates, text: null };
}

/** The provider with other inventories, for a change of usage. */
export function withInventories(provider: Provider, inventories: readonly Inventory[]): Provider {
  return makeProvider(provider, provider.traits, provider.aggregates, inventories);
}

/**
 * The inventory with these facts and this usage. Written out, because spread makes objects that are slow to read.
 * Fields that a search reads come first: memory access dominates the cost of a search.
 */
export function makeInventory(facts: InventoryRow, used: number, version: number): Inventory {
  return {
    resourceClass: facts.resourceClass,
    capacity: facts.capacity,
    used,
    minUnit: facts.minUnit,
    maxUnit: facts.maxUnit,
    stepSize: facts.stepSize,
    id: facts.id,
    providerId: facts.providerId,
    version,
    total: facts.total,
    reserved: facts.reserved,
    allocationRatio: facts.allocationRatio,
  };
}

/** Facts from rows, grouped by provider. */
export interface Facts {
  readonly inventories: Map<number, InventoryRow[]>;
  readonly traits: Map<number, string[]>;
  readonly aggregates: Map<number, string[]>;
  readonly shared: SharedLists;
}

/** One shared object for all providers without any: separate objects cost garbage collection while a graph is built. */
const NO_TRAITS: ReadonlySet<string> = new Set();
const NO_AGGREGATES: readonly string[] = [];
const NO_INVENTORIES: readonly Inventory[] = [];

export function buildTree(rootId: number, rows: readonly ProviderRow[], facts: Facts): Tree {
  const [first] = rows;
  // Most providers have no parent and no children; they need no lookup and no sorting.
  const byId = rows.length === 1 ? undefined : new Map(rows.map((row) => [row.id, row]));
  const rootRow = byId === undefined ? first : byId.get(rootId);
  assert(
    rootRow !== undefined && rootRow.id === rootId && rootRow.parentId === null,
    'the root of a tree is among its rows and has no parent',
  );
  if (byId === undefined) {
    const root = buildProvider(rootRow, rootRow, null, [rootId], facts);
    return makeTree(root, [root]);
  }
  const providers = rows
    .map((row) => {
      const parentUuid = row.parentId === null ? null : (byId.get(row.parentId)?.uuid ?? null);
      return buildProvider(row, rootRow, parentUuid, pathOf(row, rootId, byId), facts);
    })
    .sort((one, other) => one.id - other.id);
  const root = providers.find((provider) => provider.id === rootId);
  assert(root !== undefined, 'a tree holds its root');
  return makeTree(root, providers);
}

function buildProvider(
  row: ProviderRow,
  root: ProviderRow,
  parentUuid: string | null,
  path: readonly number[],
  facts: Facts,
): Provider {
  const { id, uuid, name, parentId, rootId, wasReported = false } = row;
  const identity = { id, uuid, name, parentId, rootId, parentUuid, rootUuid: root.uuid, path, wasReported };
  const inventories = facts.inventories.get(id)?.map((found) => makeInventory(found, found.used, found.version));
  return makeProvider(
    identity,
    traitsOf(facts.traits.get(id), facts.shared),
    aggregatesOf(facts.aggregates.get(id), facts.shared),
    inventories?.sort(byClass) ?? NO_INVENTORIES,
  );
}

/** The provider with these facts; inventories ascend by class, aggregates ascend. */
export function makeProvider(
  identity: Omit<Provider, 'traits' | 'aggregates' | 'inventories' | 'isSharing'>,
  traits: ReadonlySet<string>,
  aggregates: readonly string[],
  inventories: readonly Inventory[],
): Provider {
  // In the order in which a search reads them; see makeInventory.
  return {
    id: identity.id,
    rootId: identity.rootId,
    inventories,
    isSharing: traits.has(SHARING_TRAIT),
    aggregates,
    traits,
    uuid: identity.uuid,
    path: identity.path,
    parentId: identity.parentId,
    parentUuid: identity.parentUuid,
    rootUuid: identity.rootUuid,
    name: identity.name,
    wasReported: identity.wasReported,
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

function traitsOf(names: readonly string[] | undefined, shared: SharedLists): ReadonlySet<string> {
  return names === undefined ? NO_TRAITS : shared.traits([...names].sort(compareText));
}

function aggregatesOf(uuids: readonly string[] | undefined, shared: SharedLists): readonly string[] {
  return uuids === undefined ? NO_AGGREGATES : shared.aggregates([...new Set(uuids)].sort(compareText));
}

function byClass(first: Inventory, second: Inventory): number {
  return compareText(first.resourceClass, second.resourceClass);
}
