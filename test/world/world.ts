// A drawing as graph rows and as a graph.

import type { GraphRows, ProviderGraph } from '../../src/placement/candidate-search';
import { buildGraph } from '../../src/placement/candidate-search';
import { capacityOf } from '../../src/placement/domain/inventory';
import type { WorldDescription } from './world-description';
import { parseWorld } from './world-description';

/** The rows of a drawing. Ids ascend with the lines, from 1; versions are 0. */
export function world(text: string): GraphRows {
  return describedRows(parseWorld(text));
}

/** The graph of a drawing. */
export function worldGraph(text: string): ProviderGraph {
  return buildGraph(world(text));
}

export function describedRows({ providers }: WorldDescription): GraphRows {
  const idOf = (name: string): number => providers.findIndex((provider) => provider.name === name) + 1;
  let inventoryId = 0;
  return {
    providers: providers.map(({ name, uuid, parent, root }) => ({
      id: idOf(name),
      uuid,
      name,
      parentId: parent === null ? null : idOf(parent),
      rootId: idOf(root),
    })),
    inventories: providers.flatMap(({ name, inventories }) =>
      inventories.map((inventory) => ({
        ...inventory,
        id: (inventoryId += 1),
        providerId: idOf(name),
        capacity: capacityOf(inventory),
        version: 0,
      })),
    ),
    traits: providers.flatMap(({ name, traits }) => traits.map((trait) => ({ providerId: idOf(name), trait }))),
    aggregates: providers.flatMap(({ name, aggregates }) =>
      aggregates.map(({ uuid }) => ({ providerId: idOf(name), aggregate: uuid })),
    ),
  };
}
