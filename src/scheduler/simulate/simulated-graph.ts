// The provider graph of a described cloud. Refuses, with its path, any data that a running service would refuse to store.
import type { GraphRows, ProviderGraph } from '../../placement/candidate-search';
import { buildGraph } from '../../placement/candidate-search';
import { capacityOf } from '../../placement/domain/inventory';
import { recordOf } from '../../placement/inventories/inventories.schema';
import { bodyFault } from '../../platform/values/field-fault';
import type { SimulatedProviderDto } from './simulation.schema';

/** The facts that the registries mirror to Placement, by uuid of the root provider. */
interface Mirrored {
  readonly aggregates: ReadonlyMap<string, readonly string[]>;
  readonly traits: ReadonlyMap<string, readonly string[]>;
}

interface Numbered {
  readonly id: number;
  readonly uuid: string;
  readonly provider: SimulatedProviderDto;
  readonly path: string;
}

export function simulatedGraph(providers: readonly SimulatedProviderDto[], mirrored: Mirrored): ProviderGraph {
  const known = numbered(providers);
  const rows = [...known.values()].map((each) => ({ each, root: rootOf(each, known) }));
  const aggregatesOf = (uuid: string): readonly string[] => mirrored.aggregates.get(uuid) ?? [];
  const traitsOf = (uuid: string): readonly string[] => mirrored.traits.get(uuid) ?? [];
  const graph: GraphRows = {
    providers: rows.map(({ each, root }) => ({
      id: each.id,
      uuid: each.uuid,
      name: each.provider.name,
      parentId: parentOf(each, known)?.id ?? null,
      rootId: root.id,
    })),
    inventories: rows.flatMap(({ each }) => inventoriesOf(each)).map((row, at) => ({ ...row, id: at + 1 })),
    traits: rows.flatMap(({ each: { id, uuid, provider } }) =>
      [...new Set([...(provider.traits ?? []), ...traitsOf(uuid)])].map((trait) => ({ providerId: id, trait })),
    ),
    aggregates: rows.flatMap(({ each: { id, uuid, provider } }) => {
      const own = (provider.aggregates ?? []).map((aggregate) => aggregate.toLowerCase());
      return [...new Set([...own, ...aggregatesOf(uuid)])].map((aggregate) => ({ providerId: id, aggregate }));
    }),
  };
  return buildGraph(graph);
}

function numbered(providers: readonly SimulatedProviderDto[]): ReadonlyMap<string, Numbered> {
  const known = new Map<string, Numbered>();
  const names = new Set<string>();
  for (const [at, provider] of providers.entries()) {
    const path = `providers.${at}`;
    const uuid = provider.uuid;
    if (known.has(uuid)) throw bodyFault(`${path}.uuid`, `is ${uuid}, as another provider is`);
    if (names.has(provider.name)) throw bodyFault(`${path}.name`, `is ${provider.name}, as another provider is`);
    names.add(provider.name);
    known.set(uuid, { id: at + 1, uuid, provider, path });
  }
  return known;
}

function parentOf({ provider, path }: Numbered, known: ReadonlyMap<string, Numbered>): Numbered | null {
  const uuid = provider.parent_uuid ?? provider.parent_provider_uuid ?? undefined;
  if (uuid === undefined) return null;
  const parent = known.get(uuid);
  if (parent === undefined) throw bodyFault(`${path}.parent_uuid`, `names the provider ${uuid}, which does not exist`);
  return parent;
}

function rootOf(provider: Numbered, known: ReadonlyMap<string, Numbered>): Numbered {
  let root = provider;
  for (let steps = 0; ; steps += 1) {
    const parent = parentOf(root, known);
    if (parent === null) return root;
    if (steps > known.size) throw bodyFault(`${provider.path}.parent_uuid`, 'is below the provider itself');
    root = parent;
  }
}

function inventoriesOf({ id, provider, path }: Numbered): Omit<GraphRows['inventories'][number], 'id'>[] {
  const { inventories = {}, used = {} } = provider;
  const strange = Object.keys(used).find((name) => !Object.hasOwn(inventories, name));
  if (strange !== undefined) throw bodyFault(`${path}.used.${strange}`, 'is of a class without an inventory');
  return Object.entries(inventories).map(([resourceClass, record]) => {
    const facts = recordOf(record);
    const taken = Object.hasOwn(used, resourceClass) ? (used[resourceClass] ?? 0) : 0;
    return { providerId: id, resourceClass, ...facts, capacity: capacityOf(facts), used: taken, version: 0 };
  });
}
