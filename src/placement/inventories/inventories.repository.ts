// Inventory records in the database. Only usage.writes.ts writes `used`. Only an unused record can be deleted.
import { StartOver } from '../../platform/database/database';
import { unlessGone } from '../../platform/database/lost-reference';
import type { SqlReader, Statement, WriteTx } from '../../platform/database/sql';
import { anyOf, chunks, marks, queryAmong } from '../../platform/database/sql';
import type { JoinedRow, RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import { assert } from '../../platform/values/assert';
import type { Uuid } from '../../platform/values/uuid';
import type { InventoryRecord } from '../domain/inventory';
import { capacityOf, RECORD_FIELDS } from '../domain/inventory';
import type { ClassInventory, Inventories } from './inventories.commands';
import { StoredInventory } from './inventory.entity';

const INVENTORIES = new Table(StoredInventory);
/** The columns that every write sets. */
const WRITTEN = INVENTORIES.only(...RECORD_FIELDS, 'capacity');
const CREATED = INVENTORIES.only('providerId', 'classId', ...RECORD_FIELDS, 'capacity', 'createdAtMs');
const KEPT = INVENTORIES.only('providerId', 'classId', ...RECORD_FIELDS, 'used', 'changedAt');

/** A stored record with the name of its class. */
export type KeptInventory = RowOf<typeof KEPT> & Pick<ClassInventory, 'resourceClass'>;

type FoundRow = { readonly generation: number } & JoinedRow<ClassInventory>;

/** All records and the generation of a provider, read in one statement; undefined if there is no such provider. */
export async function findInventories(sql: SqlReader, providerUuid: Uuid): Promise<Inventories | undefined> {
  const rows = await sql.query<FoundRow>(
    `SELECT p.generation, c.name AS resourceClass, ${INVENTORIES.only(...RECORD_FIELDS, 'changedAt').as('i')} ` +
      'FROM resource_providers p LEFT JOIN inventories i ON i.resource_provider_id = p.id ' +
      'LEFT JOIN resource_classes c ON c.id = i.resource_class_id WHERE p.uuid = ? ORDER BY i.resource_class_id',
    [providerUuid],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return { generation: first.generation, inventories: rows.filter((row) => row.resourceClass !== null) };
}

/** Records by provider id. */
export async function keptInventories(
  sql: SqlReader,
  providerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly KeptInventory[]>> {
  const found = new Map<number, KeptInventory[]>(providerIds.map((id) => [id, []]));
  const text = (among: string): string =>
    `SELECT ${KEPT.as('i')}, ` +
    '(SELECT c.name FROM resource_classes c WHERE c.id = i.resource_class_id) AS resourceClass ' +
    `FROM inventories i WHERE i.resource_provider_id IN (${among})`;
  for (const row of await queryAmong<KeptInventory>(sql, providerIds, text)) found.get(row.providerId)?.push(row);
  return found;
}

/** The key of a record: provider and class. */
export type RecordKey = Pick<StoredInventory, 'providerId' | 'classId'>;

export interface InventoryWrite extends RecordKey {
  readonly record: InventoryRecord;
}

const ROWS_PER_STATEMENT = 500;

/** The writes for the records of one provider. Throws if a class was not resolved. */
export const writesOf = (
  providerId: number,
  records: ReadonlyMap<string, InventoryRecord>,
  classes: ReadonlyMap<string, number>,
): readonly InventoryWrite[] =>
  [...records].map(([name, record]) => {
    const classId = classes.get(name);
    assert(classId !== undefined, 'a class that is resolved has an id');
    return { providerId, classId, record };
  });

const insertion = (writes: readonly InventoryWrite[], nowMs: number): Statement =>
  CREATED.insert(
    writes.map(({ record, ...key }) => ({ ...key, ...record, capacity: capacityOf(record), createdAtMs: nowMs })),
  );

/** The next attempt resolves the classes again and reports the missing one to the client. */
const lostClass = (): StartOver => new StartOver('a resource class vanished before there was inventory of it');

/** Inserts or updates records. A new record has `used` 0, an existing one keeps its value. */
export async function putInventories(tx: WriteTx, writes: readonly InventoryWrite[], nowMs: number): Promise<void> {
  const onDuplicate = tx.dialect.onDuplicate('resource_provider_id, resource_class_id', WRITTEN.names, [
    `updated_at = ${nowMs}`,
  ]);
  for (const part of chunks(inOrder(writes), ROWS_PER_STATEMENT)) {
    const { sql, params } = insertion(part, nowMs);
    await unlessGone(tx, lostClass, () => tx.run(sql + onDuplicate, params));
  }
}

/** Inserts a record. Throws the driver's duplicate-key error if it exists. */
export async function insertInventory(tx: WriteTx, write: InventoryWrite, nowMs: number): Promise<void> {
  const { sql, params } = insertion([write], nowMs);
  await unlessGone(tx, lostClass, () => tx.run(sql, params));
}

/** Returns false if there is no such record. */
export async function updateInventory(
  tx: WriteTx,
  { providerId, classId, record }: InventoryWrite,
  nowMs: number,
): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE inventories SET ${WRITTEN.assigned}, updated_at = ? WHERE resource_provider_id = ? AND resource_class_id = ?`,
    [...WRITTEN.valuesOf({ ...record, capacity: capacityOf(record) }), nowMs, providerId, classId],
  );
  return matched === 1;
}

/** Deletes those of the records that are unused; returns how many were deleted. */
export async function removeUnused(tx: WriteTx, keys: readonly RecordKey[]): Promise<number> {
  let removed = 0;
  for (const part of chunks(inOrder(keys), ROWS_PER_STATEMENT)) {
    removed += await tx.run(
      `DELETE FROM inventories WHERE (${anyOf(part.map(() => '(resource_provider_id = ? AND resource_class_id = ?)'))}) ` +
        'AND used = 0',
      part.flatMap((key) => [key.providerId, key.classId]),
    );
  }
  return removed;
}

const inOrder = <K extends RecordKey>(keys: readonly K[]): readonly K[] =>
  [...keys].sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);

export async function removeAllUnused(tx: WriteTx, providerId: number): Promise<void> {
  await tx.run('DELETE FROM inventories WHERE resource_provider_id = ? AND used = 0', [providerId]);
}

/** Names of the classes of which the provider has records, among the given classes or all. */
export async function classNamesOf(
  sql: SqlReader,
  providerId: number,
  classIds?: readonly number[],
): Promise<readonly string[]> {
  const among = classIds === undefined ? '' : ` AND c.id IN (${marks(classIds.length)})`;
  const rows = await sql.query<{ name: string }>(
    'SELECT c.name FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id ' +
      `WHERE i.resource_provider_id = ?${among} ORDER BY c.id`,
    [providerId, ...(classIds ?? [])],
  );
  return rows.map((row) => row.name);
}
