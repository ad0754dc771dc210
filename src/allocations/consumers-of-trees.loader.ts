// Which consumers have an allocation anywhere in the trees of these roots: the instances of hosts that nobody reported.
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
