// Logs a change of every provider after a manual change of the database. All readers then reload all providers.
import type { Database } from '../../platform/database/database';
import { chunks } from '../../platform/database/sql';

const PROVIDERS_PER_WRITE = 5_000;

/** Returns the number of providers. */
export async function bumpProviders(db: Database): Promise<number> {
  const rows = await db.read((sql) => sql.query<{ id: number }>('SELECT id FROM resource_providers'));
  for (const part of chunks(rows, PROVIDERS_PER_WRITE)) {
    await db.write(async (tx) => {
      for (const { id } of part) tx.changes.tree(id);
    });
  }
  return rows.length;
}
