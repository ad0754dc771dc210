// Pages of a registry's table: in the order of creation, one more row than asked tells whether there is another page.
import { canonicalUuid } from '../domain/uuid';
import type { SqlReader, SqlValue } from '../database/sql';
import { unknownMarker } from './registry-page';
import type { Page, PageQuery } from './registry-page';

export type Condition = readonly [text: string, params: readonly SqlValue[]];

/** Columns that have to hold these values, where one is given. */
export const equal = (values: Readonly<Record<string, SqlValue | undefined>>): readonly Condition[] =>
  Object.entries(values).flatMap(([column, value]): Condition[] =>
    value === undefined ? [] : [[`${column} = ?`, [value]]],
  );

export interface PageSource {
  /** `SELECT … FROM … `, without a WHERE. */
  readonly select: string;
  /** The column of the row's number, with its alias. */
  readonly id: string;
  /** The table, and its column that clients name documents by. */
  readonly table: string;
  readonly key: string;
}

/** What is read of the rows of a page, in parts, with one more where there is another page. */
export async function selectPage<R, T>(
  sql: SqlReader,
  source: PageSource,
  conditions: readonly Condition[],
  { limit, marker }: PageQuery,
  read: (row: R) => T,
): Promise<readonly T[]> {
  const after = marker === undefined ? 0 : await idOfMarker(sql, source, marker);
  const all: readonly Condition[] = [[`${source.id} > ?`, [after]], ...conditions];
  const found: T[] = [];
  await sql.each<R>(
    `${source.select} WHERE ${all.map(([text]) => text).join(' AND ')} ORDER BY ${source.id} LIMIT ${limit + 1}`,
    all.flatMap(([, params]) => [...params]),
    (row) => found.push(read(row)),
  );
  return found;
}

async function idOfMarker(sql: SqlReader, { table, key }: PageSource, marker: string): Promise<number> {
  // A column of uuids compares with nothing but ASCII.
  const wanted = key === 'uuid' ? canonicalUuid(marker) : marker;
  const [row] =
    wanted === undefined ? [] : await sql.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${key} = ?`, [wanted]);
  if (row === undefined) throw unknownMarker(marker);
  return row.id;
}

/** The page of documents that may be one more than asked. */
export function pageOf<T>(found: readonly T[], limit: number, keyOf: (item: T) => string): Page<T> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? keyOf(last) : null };
}
