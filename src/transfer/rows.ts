// Rows as objects keyed by column name, and the SQL to insert and update them.
import { rowMarks } from '../platform/database/sql';
import type { SqlValue, Statement } from '../platform/database/sql';
import type { InventoryRecord } from '../placement/domain/inventory';
import type { RecordBody } from '../placement/inventories/inventories.schema';

export type Row = Readonly<Record<string, SqlValue>>;

/** `(a, b) VALUES (?, ?), (?, ?)`. All rows must have the columns of the first one. */
export function insertedRows(rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return {
    sql: `(${columns.join(', ')}) VALUES ${rowMarks(rows.length, columns.length)}`,
    params: rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  };
}

/** `a = ?, b = ?` */
export function assignedRow(row: Row): Statement {
  const columns = Object.keys(row);
  return { sql: columns.map((column) => `${column} = ?`).join(', '), params: Object.values(row) };
}

/** An inventory record with the column names of both schemas and of JSON Lines files. */
export const recordColumns = (record: InventoryRecord): Required<RecordBody> => ({
  total: record.total,
  reserved: record.reserved,
  min_unit: record.minUnit,
  max_unit: record.maxUnit,
  step_size: record.stepSize,
  allocation_ratio: record.allocationRatio,
});
