// Resource classes in the database.
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { StoredResourceClass } from './resource-class.entity';

const CLASSES = new Table(StoredResourceClass);
const KNOWN = CLASSES.only('id', 'name', 'changedAt');
const CREATED = CLASSES.only('name', 'createdAtMs');

export type ResourceClass = RowOf<typeof KNOWN>;

const SELECT_CLASS = `SELECT ${KNOWN.as('c')} FROM resource_classes c`;

/** Sorted by id: standard classes in library order, then custom classes. */
export async function listResourceClasses(sql: SqlReader): Promise<readonly ResourceClass[]> {
  const found: ResourceClass[] = [];
  await sql.each<ResourceClass>(`${SELECT_CLASS} ORDER BY c.id`, [], (row) => found.push(row));
  return found;
}

export async function findResourceClass(sql: SqlReader, name: string): Promise<ResourceClass | undefined> {
  return (await sql.query<ResourceClass>(`${SELECT_CLASS} WHERE c.name = ?`, [name]))[0];
}

/**
 * Ids by name; missing names are skipped. Runs one statement, unless there are more names than one statement can bind.
 */
export async function findClassIds(sql: SqlReader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await queryAmong<ResourceClass>(sql, names, (among) => `${SELECT_CLASS} WHERE c.name IN (${among})`, {
    size: DATABASE_LIMITS.parametersPerStatement,
  });
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The id is generated and never reused, so a cached id cannot refer to another class. */
export async function insertResourceClass(tx: WriteTx, name: string, nowMs: number): Promise<void> {
  const { sql, params } = CREATED.insert([{ name, createdAtMs: nowMs }]);
  await tx.run(sql, params);
}

/** Returns false if the class no longer exists. Locks it until commit, so no transaction can add inventory of it. */
export async function renameResourceClass(tx: WriteTx, id: number, name: string, nowMs: number): Promise<boolean> {
  return (await tx.run('UPDATE resource_classes SET name = ?, updated_at = ? WHERE id = ?', [name, nowMs, id])) === 1;
}

export async function providersWithInventoryOf(sql: SqlReader, id: number): Promise<readonly number[]> {
  const ids: number[] = [];
  await sql.each<{ providerId: number }>(
    'SELECT resource_provider_id AS providerId FROM inventories WHERE resource_class_id = ?',
    [id],
    (row) => ids.push(row.providerId),
  );
  return ids;
}

/** Returns false if the class no longer exists. Fails with a foreign-key error if there is inventory of it. */
export async function deleteResourceClass(tx: WriteTx, id: number): Promise<boolean> {
  return (await tx.run('DELETE FROM resource_classes WHERE id = ?', [id])) === 1;
}
