// Rows as objects keyed by column name, and the SQL to insert and update them.
import type { SqlValue, Statement } from '../platform/database/sql';
import { rowMarks } from '../platform/database/sql';

export type Row = Readonly<Record<string, SqlValue>>;

/** Inserts rows with one statement. All rows must have the columns of the first one. */
export async function insertRows(
  into: { run(sql: string, params: readonly SqlValue[]): Promise<unknown> },
  table: string,
  rows: readonly Row[],
  suffix = '',
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  await into.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rowMarks(rows.length, columns.length)}${suffix}`,
    rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  );
}

export function updateById(table: string, id: number, row: Row, alsoSet: readonly string[] = []): Statement {
  const assigned = [...Object.keys(row).map((column) => `${column} = ?`), ...alsoSet];
  return { sql: `UPDATE ${table} SET ${assigned.join(', ')} WHERE id = ?`, params: [...Object.values(row), id] };
}

/** All rows of a table in the order of their ids. `read` returns one page with ids above `after`, sorted. */
export async function* pagesById<R extends { readonly id: number }>(
  read: (after: number) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for (let after = -1; ;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.id;
  }
}
