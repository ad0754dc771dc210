// Resource classes in the database.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { FIRST_CUSTOM_RESOURCE_CLASS_ID } from '../../platform/values/names';
import { StoredResourceClass } from './resource-class.entity';

const CLASSES = new Table(StoredResourceClass);
const KNOWN = CLASSES.only('id', 'name', 'changedAt');
const CREATED = CLASSES.only('name', 'createdAtMs');

export type ResourceClass = RowOf<typeof KNOWN>;

const SELECT_CLASS = `SELECT ${KNOWN.as('c')} FROM resource_classes c`;

/** Sorted by id: standard classes in library order, then custom classes. */
export function listResourceClasses(sql: SqlReader): Promise<readonly ResourceClass[]> {
  return sql.query<ResourceClass>(`${SELECT_CLASS} ORDER BY c.id`);
}

export async function countCustomClasses(sql: SqlReader): Promise<number> {
  const text = 'SELECT COUNT(*) AS count FROM resource_classes WHERE id >= ?';
  const [row] = await sql.query<{ count: number }>(text, [FIRST_CUSTOM_RESOURCE_CLASS_ID]);
  return Number(row?.count ?? 0);
}

export async function findResourceClass(sql: SqlReader, name: string): Promise<ResourceClass | undefined> {
  return (await sql.query<ResourceClass>(`${SELECT_CLASS} WHERE c.name = ?`, [name]))[0];
}

/** Ids by name; missing names are skipped. */
export async function findClassIds(sql: SqlReader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await queryAmong<ResourceClass>(sql, names, (among) => `${SELECT_CLASS} WHERE c.name IN (${among})`);
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
  const rows = await sql.query<{ providerId: number }>(
    'SELECT resource_provider_id AS providerId FROM inventories WHERE resource_class_id = ?',
    [id],
  );
  return rows.map(({ providerId }) => providerId);
}

/** Returns false if the class no longer exists. Fails with a foreign-key error if there is inventory of it. */
export async function deleteResourceClass(tx: WriteTx, id: number): Promise<boolean> {
  return (await tx.run('DELETE FROM resource_classes WHERE id = ?', [id])) === 1;
}
