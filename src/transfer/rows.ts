// Rows by the names of their columns: what a statement that writes some of them says, each value beside its column.
import { rowMarks } from '../database/sql';
import type { SqlValue, Statement } from '../database/sql';
import type { InventoryRecord } from '../domain/inventory';
import type { RecordBody } from '../inventories/inventories.schema';

export type Row = Readonly<Record<string, SqlValue>>;

/** `(a, b) VALUES (?, ?), (?, ?)`: all of them have the columns of the first. */
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

/** An inventory record in the columns of both schemas, which the lines of a file have as well. */
export const recordColumns = (record: InventoryRecord): Required<RecordBody> => ({
  total: record.total,
  reserved: record.reserved,
  min_unit: record.minUnit,
  max_unit: record.maxUnit,
  step_size: record.stepSize,
  allocation_ratio: record.allocationRatio,
});
