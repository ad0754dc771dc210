// Which consumers have an allocation anywhere in the trees of these roots, or how many: the instances of hosts that nobody
// reported.
import { inParts } from '../database/row-parts';
import { chunks, marks } from '../database/sql';
import type { SqlReader } from '../database/sql';

const ROOTS_PER_STATEMENT = 100;

/** Consumer uuids by root uuid, distinct and ascending; a root without any is left out. */
export async function loadConsumersOfTrees(
  sql: SqlReader,
  rootUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, Set<string>>();
  for (const part of chunks(rootUuids, ROOTS_PER_STATEMENT)) {
    // Sorted and made distinct here: there it would be one piece.
    await sql.each<{ root: string; consumer: string }>(
      'SELECT root.uuid AS root, c.uuid AS consumer FROM resource_providers root ' +
        'JOIN resource_providers p ON p.root_provider_id = root.id ' +
        'JOIN allocations a ON a.resource_provider_id = p.id JOIN consumers c ON c.id = a.consumer_id ' +
        `WHERE root.uuid IN (${marks(part.length)})`,
      part,
      ({ root, consumer }) => {
        const known = found.get(root);
        if (known === undefined) found.set(root, new Set([consumer]));
        else known.add(consumer);
      },
    );
  }
  const sorted = new Map<string, readonly string[]>();
  await inParts([...found], ([root, consumers]) => sorted.set(root, [...consumers].sort()));
  return sorted;
}

/** How many consumers there are in a tree, and how many rows had to be read to know it. */
export interface ConsumerCount {
  readonly consumers: number;
  readonly rows: number;
}

/** By the id of the root; a root without any is left out. Rows come one by one: a pool has some hundred thousand. */
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
