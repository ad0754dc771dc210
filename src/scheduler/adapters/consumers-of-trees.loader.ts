// Which consumers have an allocation anywhere in the trees of these roots: the instances of hosts that nobody reported.
import { chunks, marks } from '../../database/sql';
import type { SqlReader } from '../../database/sql';

const ROOTS_PER_STATEMENT = 1_000;

/** Consumer uuids by root uuid, distinct and ascending; a root without any is left out. */
export async function loadConsumersOfTrees(
  sql: SqlReader,
  rootUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const part of chunks(rootUuids, ROOTS_PER_STATEMENT)) {
    const rows = await sql.query<{ root: string; consumer: string }>(
      'SELECT DISTINCT root.uuid AS root, c.uuid AS consumer FROM resource_providers root ' +
        'JOIN resource_providers p ON p.root_provider_id = root.id ' +
        'JOIN allocations a ON a.resource_provider_id = p.id JOIN consumers c ON c.id = a.consumer_id ' +
        `WHERE root.uuid IN (${marks(part.length)}) ORDER BY c.uuid`,
      part,
    );
    for (const { root, consumer } of rows) {
      const known = found.get(root);
      if (known === undefined) found.set(root, [consumer]);
      else known.push(consumer);
    }
  }
  return found;
}
