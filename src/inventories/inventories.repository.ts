// Inventory records in the database. `used` is never written here (see usage.repository.ts); a record goes only while
// nothing is used of it.
import { DATABASE_LIMITS } from '../config/limits';
import { chunks, marks, rowMarks } from '../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../database/sql';
import { capacityOf } from '../domain/inventory';
import type { InventoryRecord } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';
import type { Inventories, Inventory } from './inventories.commands';

interface RecordRow {
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: number;
}

interface InventoryRow extends RecordRow {
  readonly generation: number;
  readonly name: string | null;
  readonly changed_at: number;
}

const RECORD_COLUMNS = 'total, reserved, min_unit, max_unit, step_size, allocation_ratio';

const toRecord = (row: RecordRow): InventoryRecord => ({
  total: row.total,
  reserved: row.reserved,
  minUnit: row.min_unit,
  maxUnit: row.max_unit,
  stepSize: row.step_size,
  allocationRatio: row.allocation_ratio,
});

/** All records of a provider with its generation, read in one statement; undefined when there is no such provider. */
export async function findInventories(sql: SqlReader, providerUuid: Uuid): Promise<Inventories | undefined> {
  const rows = await sql.query<InventoryRow>(
    `SELECT p.generation, c.name, ${RECORD_COLUMNS}, COALESCE(i.updated_at, i.created_at) AS changed_at ` +
      'FROM resource_providers p LEFT JOIN inventories i ON i.resource_provider_id = p.id ' +
      'LEFT JOIN resource_classes c ON c.id = i.resource_class_id WHERE p.uuid = ? ORDER BY i.resource_class_id',
    [providerUuid],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const inventories = rows.flatMap((row): Inventory[] =>
    row.name === null ? [] : [{ ...toRecord(row), resourceClass: row.name, changedAt: row.changed_at }],
  );
  return { generation: first.generation, inventories };
}

export interface StoredInventory {
  readonly classId: number;
  readonly record: InventoryRecord;
  readonly used: number;
  /** Milliseconds since the epoch: last update, else creation. */
  readonly changedAt: number;
}

interface StoredRow extends RecordRow {
  readonly resource_provider_id: number;
  readonly resource_class_id: number;
  readonly used: number;
  readonly changed_at: number;
}

/** The records of some providers, by provider id. */
export async function storedInventories(
  sql: SqlReader,
  providerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredInventory[]>> {
  const found = new Map<number, StoredInventory[]>(providerIds.map((id) => [id, []]));
  for (const part of chunks(providerIds, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<StoredRow>(
      `SELECT resource_provider_id, resource_class_id, used, ${RECORD_COLUMNS}, ` +
        'COALESCE(updated_at, created_at) AS changed_at FROM inventories ' +
        `WHERE resource_provider_id IN (${marks(part.length)})`,
      part,
    );
    for (const row of rows) {
      const { resource_class_id: classId, used, changed_at: changedAt } = row;
      found.get(row.resource_provider_id)?.push({ classId, used, changedAt, record: toRecord(row) });
    }
  }
  return found;
}

export interface InventoryWrite {
  readonly providerId: number;
  readonly classId: number;
  readonly record: InventoryRecord;
}

const ROWS_PER_STATEMENT = 500;

const WRITTEN_COLUMNS = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio', 'capacity'];

/** Creates or changes records; a new one starts with nothing used, an old one keeps what it has. */
export async function putInventories(tx: WriteTx, writes: readonly InventoryWrite[], nowMs: number): Promise<void> {
  const sorted = [...writes].sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);
  for (const part of chunks(sorted, ROWS_PER_STATEMENT)) {
    await tx.run(
      `INSERT INTO inventories (resource_provider_id, resource_class_id, ${WRITTEN_COLUMNS.join(', ')}, created_at) ` +
        `VALUES ${rowMarks(part.length, 3 + WRITTEN_COLUMNS.length)}` +
        tx.dialect.onDuplicate('resource_provider_id, resource_class_id', WRITTEN_COLUMNS, [`updated_at = ${nowMs}`]),
      part.flatMap((write) => [write.providerId, write.classId, ...columnsOf(write.record), nowMs]),
    );
  }
}

/** Creates a record; throws the driver's duplicate error when there is one. */
export async function insertInventory(tx: WriteTx, write: InventoryWrite, nowMs: number): Promise<void> {
  await tx.run(
    `INSERT INTO inventories (resource_provider_id, resource_class_id, ${WRITTEN_COLUMNS.join(', ')}, created_at) ` +
      `VALUES ${rowMarks(1, 3 + WRITTEN_COLUMNS.length)}`,
    [write.providerId, write.classId, ...columnsOf(write.record), nowMs],
  );
}

/** Changes a record; answers whether there was one. */
export async function updateInventory(tx: WriteTx, write: InventoryWrite, nowMs: number): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE inventories SET ${WRITTEN_COLUMNS.map((column) => `${column} = ?`).join(', ')}, updated_at = ? ` +
      'WHERE resource_provider_id = ? AND resource_class_id = ?',
    [...columnsOf(write.record), nowMs, write.providerId, write.classId],
  );
  return matched === 1;
}

function columnsOf(record: InventoryRecord): readonly SqlValue[] {
  const { total, reserved, minUnit, maxUnit, stepSize, allocationRatio } = record;
  return [total, reserved, minUnit, maxUnit, stepSize, allocationRatio, capacityOf(record)];
}

/** Removes those of the named records that are unused; answers how many went. */
export async function removeUnused(tx: WriteTx, providerId: number, classIds: readonly number[]): Promise<number> {
  return tx.run(
    `DELETE FROM inventories WHERE resource_provider_id = ? AND resource_class_id IN (${marks(classIds.length)}) ` +
      'AND used = 0',
    [providerId, ...classIds],
  );
}

/** One record of one provider. */
export interface RecordKey {
  readonly providerId: number;
  readonly classId: number;
}

/** The same for records of several providers. */
export async function removeUnusedRecords(tx: WriteTx, keys: readonly RecordKey[]): Promise<number> {
  const sorted = [...keys].sort((a, b) => a.providerId - b.providerId || a.classId - b.classId);
  let removed = 0;
  for (const part of chunks(sorted, ROWS_PER_STATEMENT)) {
    removed += await tx.run(
      `DELETE FROM inventories WHERE (${part.map(() => '(resource_provider_id = ? AND resource_class_id = ?)').join(' OR ')}) ` +
        'AND used = 0',
      part.flatMap((key) => [key.providerId, key.classId]),
    );
  }
  return removed;
}

/** Removes all unused records of a provider. */
export async function removeAllUnused(tx: WriteTx, providerId: number): Promise<void> {
  await tx.run('DELETE FROM inventories WHERE resource_provider_id = ? AND used = 0', [providerId]);
}

/** Names of the classes of which a provider has a record, among the given ones or among all. */
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
