// Resource classes in the database. Ids below the first custom one belong to the standard classes.
import { DATABASE_LIMITS } from '../config/limits';
import { chunks, marks } from '../database/sql';
import type { SqlReader, WriteTx } from '../database/sql';

export interface ResourceClass {
  readonly id: number;
  readonly name: string;
  /** Milliseconds since the epoch: last update, else creation. */
  readonly changedAt: number;
}

interface ResourceClassRow {
  readonly id: number;
  readonly name: string;
  readonly changed_at: number;
}

const SELECT_CLASS = 'SELECT id, name, COALESCE(updated_at, created_at) AS changed_at FROM resource_classes';

const toResourceClass = (row: ResourceClassRow): ResourceClass => ({
  id: row.id,
  name: row.name,
  changedAt: row.changed_at,
});

/** In the order of ids: the standard ones in library order, then the custom ones. */
export async function listResourceClasses(sql: SqlReader): Promise<readonly ResourceClass[]> {
  return (await sql.query<ResourceClassRow>(`${SELECT_CLASS} ORDER BY id`)).map(toResourceClass);
}

export async function findResourceClass(sql: SqlReader, name: string): Promise<ResourceClass | undefined> {
  const [row] = await sql.query<ResourceClassRow>(`${SELECT_CLASS} WHERE name = ?`, [name]);
  return row === undefined ? undefined : toResourceClass(row);
}

/** Ids by name, of those names that exist. One statement, unless there are more names than one can take. */
export async function findIds(sql: SqlReader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const part of chunks(names, DATABASE_LIMITS.parametersPerStatement)) {
    const rows = await sql.query<{ id: number; name: string }>(
      `SELECT id, name FROM resource_classes WHERE name IN (${marks(part.length)})`,
      part,
    );
    for (const row of rows) ids.set(row.name, row.id);
  }
  return ids;
}

/** Its id is generated and never used twice, so a remembered one can never mean another class. */
export async function insertResourceClass(tx: WriteTx, name: string, nowMs: number): Promise<void> {
  await tx.run('INSERT INTO resource_classes (name, created_at) VALUES (?, ?)', [name, nowMs]);
}

/** Answers whether the class was still there. Holds it until commit, so that no inventory of it can appear meanwhile. */
export async function renameResourceClass(tx: WriteTx, id: number, name: string, nowMs: number): Promise<boolean> {
  return (await tx.run('UPDATE resource_classes SET name = ?, updated_at = ? WHERE id = ?', [name, nowMs, id])) === 1;
}

export async function providersWithInventoryOf(sql: SqlReader, id: number): Promise<readonly number[]> {
  const rows = await sql.query<{ resource_provider_id: number }>(
    'SELECT resource_provider_id FROM inventories WHERE resource_class_id = ?',
    [id],
  );
  return rows.map((row) => row.resource_provider_id);
}

/** Answers whether the class was still there. Fails on a foreign key while any inventory is of this class. */
export async function deleteResourceClass(tx: WriteTx, id: number): Promise<boolean> {
  return (await tx.run('DELETE FROM resource_classes WHERE id = ?', [id])) === 1;
}
