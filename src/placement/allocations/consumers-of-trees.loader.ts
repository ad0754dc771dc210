// Consumers with allocations in provider trees, or their number: the instances of hosts that send no reports.
import type { SqlReader } from '../../platform/database/sql';
import { chunks, marks, queryAmong } from '../../platform/database/sql';
import { addTo } from '../../platform/values/lists-by-key';

const ROOTS_PER_STATEMENT = 100;

/** Consumer uuids by root uuid, sorted and distinct. Roots without consumers are missing. */
export async function loadConsumersOfTrees(
  sql: SqlReader,
  rootUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const sorted = new Map<string, readonly string[]>();
  for (const part of chunks(rootUuids, ROOTS_PER_STATEMENT)) {
    const found = new Map<string, string[]>();
    // Distinct before the uuids are read: an instance has a row for each resource class.
    await sql.each<{ root: string; consumer: string }>(
      'SELECT root.uuid AS root, c.uuid AS consumer FROM (SELECT DISTINCT r.id AS root, a.consumer_id AS consumer ' +
        'FROM resource_providers r JOIN resource_providers p ON p.root_provider_id = r.id ' +
        `JOIN allocations a ON a.resource_provider_id = p.id WHERE r.uuid IN (${marks(part.length)})) used ` +
        'JOIN consumers c ON c.id = used.consumer JOIN resource_providers root ON root.id = used.root',
      part,
      ({ root, consumer }) => addTo(found, root, consumer),
    );
    for (const [root, consumers] of found) sorted.set(root, [...consumers].sort());
  }
  return sorted;
}

/** The root provider of a tree. */
export interface ConsumerRoot {
  readonly uuid: string;
  readonly name: string;
}

/** Keyed by consumer; consumers without allocations are missing. */
export async function loadRootsOfConsumers(
  sql: SqlReader,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, readonly ConsumerRoot[]>> {
  const text = (among: string): string =>
    'SELECT DISTINCT c.uuid AS consumer, root.uuid, root.name FROM consumers c ' +
    'JOIN allocations a ON a.consumer_id = c.id JOIN resource_providers p ON p.id = a.resource_provider_id ' +
    `JOIN resource_providers root ON root.id = p.root_provider_id WHERE c.uuid IN (${among})`;
  const found = new Map<string, ConsumerRoot[]>();
  for (const { consumer, uuid, name } of await queryAmong<ConsumerRoot & { consumer: string }>(sql, uuids, text)) {
    addTo(found, consumer, { uuid, name });
  }
  return found;
}

/** The number of consumers in a tree, and the number of rows read for it. */
export interface ConsumerCount {
  readonly consumers: number;
  readonly rows: number;
}

/** Keyed by root id; roots without consumers are missing. Reads row by row: a pool can have several 100 000 rows. */
export async function countConsumersOfTrees(
  sql: SqlReader,
  rootIds: readonly number[],
): Promise<ReadonlyMap<number, ConsumerCount>> {
  const found = new Map<number, { readonly consumers: Set<number>; rows: number }>();
  for (const part of chunks(rootIds, ROOTS_PER_STATEMENT)) {
    await sql.each<{ root: number; consumer: number }>(
      'SELECT p.root_provider_id AS root, a.consumer_id AS consumer FROM resource_providers p ' +
        `JOIN allocations a ON a.resource_provider_id = p.id WHERE p.root_provider_id IN (${marks(part.length)})`,
      part,
      ({ root, consumer }) => {
        let known = found.get(root);
        if (known === undefined) found.set(root, (known = { consumers: new Set(), rows: 0 }));
        known.consumers.add(consumer);
        known.rows += 1;
      },
    );
  }
  return new Map([...found].map(([root, { consumers, rows }]) => [root, { consumers: consumers.size, rows }]));
}
