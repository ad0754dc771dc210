// Pages of a registry's table: in the order of creation, one more row than asked tells whether there is another page.
import { canonicalUuid } from '../../domain/uuid';
import { InvalidInput } from '../../errors/domain-errors';
import type { SqlReader, SqlValue } from '../../database/sql';
import type { PageQuery } from './registry-page';

export type Condition = readonly [text: string, params: readonly SqlValue[]];

export interface PageSource {
  /** `SELECT … FROM … `, without a WHERE. */
  readonly select: string;
  /** The column of the row's number, with its alias. */
  readonly id: string;
  /** The table, and its column that clients name documents by. */
  readonly table: string;
  readonly key: string;
}

/** The rows of a page, with one more where there is another page. */
export async function selectPage<R>(
  sql: SqlReader,
  source: PageSource,
  conditions: readonly Condition[],
  { limit, marker }: PageQuery,
): Promise<readonly R[]> {
  const after = marker === undefined ? 0 : await idOfMarker(sql, source, marker);
  const all: readonly Condition[] = [[`${source.id} > ?`, [after]], ...conditions];
  return sql.query<R>(
    `${source.select} WHERE ${all.map(([text]) => text).join(' AND ')} ORDER BY ${source.id} LIMIT ${limit + 1}`,
    all.flatMap(([, params]) => [...params]),
  );
}

async function idOfMarker(sql: SqlReader, { table, key }: PageSource, marker: string): Promise<number> {
  // A column of uuids compares with nothing but ASCII.
  const wanted = key === 'uuid' ? canonicalUuid(marker) : marker;
  const [row] =
    wanted === undefined ? [] : await sql.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${key} = ?`, [wanted]);
  if (row === undefined) throw new InvalidInput(`marker: '${marker}' names nothing here`);
  return row.id;
}

/** The page of rows that may be one more than asked. */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => T,
  keyOf: (row: R) => string,
): { readonly items: readonly T[]; readonly next: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toItem),
    next: rows.length > limit && last !== undefined ? keyOf(last) : null,
  };
}
