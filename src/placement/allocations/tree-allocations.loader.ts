// The allocations in one tree within bounds: the first consumers with all their allocations, and the number of
// consumers of each provider. A pool can have several 100 000 consumers, so the rows read are bounded too.
import type { SqlReader } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';
import type { WholeConsumer } from './consumer-pages.loader';
import { loadWholeConsumers } from './consumer-pages.loader';

export interface TreeBounds {
  /** Maximum number of rows read from the tree. */
  readonly rows: number;
  /** Maximum number of consumers in the result. */
  readonly consumers: number;
}

export interface TreeConsumer extends Omit<WholeConsumer, 'shares'> {
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
    consumers: (await loadWholeConsumers(sql, 'id', ids)).map(treeConsumerOf),
    counts: new Map([...holders].map(([provider, consumers]) => [provider, consumers.size])),
    isCut: rows > bounds.rows || ids.length < all.size,
  };
}

export const treeConsumerOf = ({ shares, ...consumer }: WholeConsumer): TreeConsumer => ({
  ...consumer,
  allocations: new Map(shares.map(({ providerUuid, resources }) => [providerUuid, resources])),
});
