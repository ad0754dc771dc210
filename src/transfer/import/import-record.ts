// Records of imports in the database. An import that was interrupted can resume despite its own rows.
import type { Database } from '../../platform/database/database';
import type { ImportMode } from './import-context';

export interface ImportRecord {
  readonly id: number;
  readonly source: string;
  readonly mode: ImportMode;
}

/** The last import, if it did not finish. */
export async function unfinishedImport(database: Database): Promise<ImportRecord | undefined> {
  const [row] = await database.read((sql) =>
    sql.query<ImportRecord & { finished_at: number | null }>(
      'SELECT id, source, mode, finished_at FROM imports ORDER BY id DESC LIMIT 1',
    ),
  );
  return row?.finished_at === null ? { id: row.id, source: row.source, mode: row.mode } : undefined;
}

export async function beginImport(
  database: Database,
  source: string,
  mode: ImportMode,
  nowMs: number,
): Promise<ImportRecord> {
  const id = await database.write((tx) =>
    tx.insert('INSERT INTO imports (source, mode, started_at) VALUES (?, ?, ?)', [source, mode, nowMs]),
  );
  return { id, source, mode };
}

export async function endImport(database: Database, { id }: ImportRecord, nowMs: number): Promise<void> {
  await database.write((tx) => tx.run('UPDATE imports SET finished_at = ? WHERE id = ?', [nowMs, id]));
}

/** True if the database has no data that a client could have written. */
export async function isEmpty(database: Database): Promise<boolean> {
  for (const table of ['resource_providers', 'consumers', 'placement_aggregates', 'server_groups', 'scheduler_hosts']) {
    const rows = await database.read((sql) => sql.query(`SELECT 1 AS one FROM ${table} LIMIT 1`));
    if (rows.length > 0) return false;
  }
  return true;
}
