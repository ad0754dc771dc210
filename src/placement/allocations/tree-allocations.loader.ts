// The allocations in one tree within bounds: the first consumers with all their allocations, and the number of
// consumers of each provider. A pool can have several 100 000 consumers, so the rows read are bounded too.
import type { SqlReader } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

const CONSUMERS_PER_STATEMENT = 100;

export interface TreeBounds {
  /** Maximum number of rows read from the tree. */
  readonly rows: number;
  /** Maximum number of consumers in the result. */
  readonly consumers: number;
}

export interface TreeConsumer {
  readonly uuid: Uuid;
  readonly consumerType: string | null;
  readonly projectId: string;
  readonly userId: string;
  readonly generation: number;
  /** Amounts by provider and class, including those in other trees. */
  readonly allocations: ReadonlyMap<Uuid, ReadonlyMap<string, number>>;
}

export interface TreeAllocations {
  /** In the order of creation. */
  readonly consumers: readonly TreeConsumer[];
  /** Number of consumers by provider id. */
  readonly counts: ReadonlyMap<number, number>;
  /** True if there are more consumers than the result has. */
  readonly isCut: boolean;
}

export async function loadTreeAllocations(
  sql: SqlReader,
  rootId: number,
  bounds: TreeBounds,
): Promise<TreeAllocations> {
  const holders = new Map<number, Set<number>>();
  const all = new Set<number>();
  let rows = 0;
  await sql.each<{ provider: number; consumer: number }>(
    'SELECT a.resource_provider_id AS provider, a.consumer_id AS consumer FROM resource_providers p ' +
      `JOIN allocations a ON a.resource_provider_id = p.id WHERE p.root_provider_id = ? LIMIT ${bounds.rows + 1}`,
    [rootId],
    ({ provider, consumer }) => {
      rows += 1;
      all.add(consumer);
      const known = holders.get(provider);
      if (known === undefined) holders.set(provider, new Set([consumer]));
      else known.add(consumer);
    },
  );
  const ids = [...Float64Array.from(all).sort()].slice(0, bounds.consumers);
  return {
    consumers: await loadConsumers(sql, ids),
    counts: new Map([...holders].map(([provider, consumers]) => [provider, consumers.size])),
    isCut: rows > bounds.rows || ids.length < all.size,
  };
}

interface HeldRow {
  readonly uuid: Uuid;
  readonly generation: number;
  readonly projectId: string;
  readonly userId: string;
  readonly consumerType: string | null;
  readonly provider: Uuid;
  readonly resourceClass: string;
  readonly used: number;
}

async function loadConsumers(sql: SqlReader, ids: readonly number[]): Promise<readonly TreeConsumer[]> {
  const found = new Map<
    Uuid,
    Omit<TreeConsumer, 'allocations'> & { readonly allocations: Map<Uuid, Map<string, number>> }
  >();
  for (const part of chunks(ids, CONSUMERS_PER_STATEMENT)) {
    await sql.each<HeldRow>(
      'SELECT c.uuid, c.generation, o.external_id AS projectId, u.external_id AS userId, t.name AS consumerType, ' +
        'p.uuid AS provider, r.name AS resourceClass, a.used FROM consumers c ' +
        'JOIN projects o ON o.id = c.project_id JOIN users u ON u.id = c.user_id ' +
        'LEFT JOIN consumer_types t ON t.id = c.consumer_type_id JOIN allocations a ON a.consumer_id = c.id ' +
        'JOIN resource_providers p ON p.id = a.resource_provider_id ' +
        `JOIN resource_classes r ON r.id = a.resource_class_id WHERE c.id IN (${marks(part.length)})`,
      part,
      ({ provider, resourceClass, used, ...consumer }) => {
        let known = found.get(consumer.uuid);
        if (known === undefined) found.set(consumer.uuid, (known = { ...consumer, allocations: new Map() }));
        const providerAllocations = known.allocations.get(provider);
        if (providerAllocations === undefined) known.allocations.set(provider, new Map([[resourceClass, used]]));
        else providerAllocations.set(resourceClass, used);
      },
    );
  }
  return [...found.values()];
}
