// Pages of a registry's table, in the order of creation. Reading one extra row shows if there is a next page.
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import type { SqlParams, SqlReader, SqlValue } from '../platform/database/sql';
import { tasks } from '../platform/event-loop/task-scheduler';
import { canonicalUuid } from '../platform/values/uuid';
import type { Page, PageQuery } from './registry-page';
import { unknownMarker } from './registry-page';

export type Condition = readonly [text: string, params: readonly SqlValue[]];

/** Equality conditions for the columns whose value is given. */
export const equal = (values: Readonly<Record<string, SqlValue | undefined>>): readonly Condition[] =>
  Object.entries(values).flatMap(([column, value]): Condition[] =>
    value === undefined ? [] : [[`${column} = ?`, [value]]],
  );

/** Joins the conditions with AND; returns the WHERE clause and its parameters. */
export function whereOf(conditions: readonly Condition[]): { readonly where: string; readonly params: SqlParams } {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(([text]) => text).join(' AND ')}`;
  return { where, params: conditions.flatMap(([, params]) => [...params]) };
}

/** Ids of one statement of a count, and the most statements. */
const IDS_COUNTED = 1_000;
const COUNT_STATEMENTS = 1_000;

/** Counts rows in statements that yield to other requests. `table`: with an alias of one letter. */
export async function countRows(sql: SqlReader, table: string, conditions: readonly Condition[]): Promise<number> {
  const id = `${table.slice(-1)}.id`;
  const [ends] = await sql.query<Readonly<Record<'first' | 'last', number | string | null>>>(
    `SELECT MIN(${id}) AS first, MAX(${id}) AS last FROM ${table}`,
    [],
  );
  const [first, last] = [Number(ends?.first ?? 0), Number(ends?.last ?? -1)];
  const step = Math.max(IDS_COUNTED, Math.ceil((last - first + 1) / COUNT_STATEMENTS));
  let count = 0;
  for (let from = first; from <= last; from += step) {
    const { where, params } = whereOf([[`${id} >= ? AND ${id} < ?`, [from, from + step]], ...conditions]);
    const [row] = await sql.query<{ count: number | string }>(`SELECT COUNT(*) AS count FROM ${table}${where}`, params);
    count += Number(row?.count);
    await tasks.yieldToEventLoop();
  }
  return count;
}

export interface PageSource {
  /** `SELECT … FROM … `, without a WHERE. */
  readonly select: string;
  /** The row id column, with its table alias. */
  readonly id: string;
  /** The table, and the column that clients use as the key of a document. */
  readonly table: string;
  readonly key: string;
}

/** The items of a page, without the marker of the next page. */
interface Part<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * Reads the rows of a page in parts. A page has at most about `SCHEDULER_LIMITS.pageCharacters` characters, but at
 * least one row: with long rows it ends before `limit`.
 */
export async function selectPage<R extends object, T>(
  sql: SqlReader,
  source: PageSource,
  conditions: readonly Condition[],
  { limit, marker }: PageQuery,
  read: (row: R) => T,
): Promise<Part<T>> {
  const items: T[] = [];
  const selected = source.select.replace(/^SELECT /, `SELECT ${source.id} AS page_row, `);
  let after = marker === undefined ? 0 : await idOfMarker(sql, source, marker);
  let [characters, rowsToRead, isLonger] = [0, Math.min(limit, FIRST_ROWS), false];
  for (;;) {
    let taken = 0;
    const { where, params } = whereOf([[`${source.id} > ${after}`, []], ...conditions]);
    await sql.each<R & Numbered>(`${selected}${where} ORDER BY ${source.id} LIMIT ${rowsToRead + 1}`, params, (row) => {
      taken += 1;
      isLonger ||= items.length > 0 && characters >= SCHEDULER_LIMITS.pageCharacters;
      if (isLonger || taken > rowsToRead) return;
      after = row.page_row;
      characters += charactersOf(row);
      items.push(read(row));
    });
    const hasMore = isLonger || taken > rowsToRead;
    if (!hasMore || isLonger || items.length >= limit) return { items, hasMore };
    const room = (SCHEDULER_LIMITS.pageCharacters - characters) / (characters / items.length);
    rowsToRead = Math.min(limit - items.length, Math.max(1, Math.ceil(room)));
  }
}

interface Numbered {
  readonly page_row: number;
}

/** Rows of the first read, before the average row length is known. */
const FIRST_ROWS = 32;

function charactersOf(row: object): number {
  let sum = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') sum += value.length;
  return sum;
}

async function idOfMarker(sql: SqlReader, { table, key }: PageSource, marker: string): Promise<number> {
  // A column of uuids can only be compared with ASCII text.
  const markerKey = key === 'uuid' ? canonicalUuid(marker) : marker;
  const [row] =
    markerKey === undefined
      ? []
      : await sql.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${key} = ?`, [markerKey]);
  if (row === undefined) throw unknownMarker(marker);
  return row.id;
}

/** Expects rows that were read with a limit of `limit + 1`. */
export function cutAt<T>(limit: number, found: readonly T[]): Part<T> {
  return { items: found.slice(0, limit), hasMore: found.length > limit };
}

export function pageOf<T>({ items, hasMore }: Part<T>, keyOf: (item: T) => string): Page<T> {
  const last = items.at(-1);
  return { items, next: hasMore && last !== undefined ? keyOf(last) : null };
}

/** A page of a list in memory: the items after the marker for which `isFound` holds. */
export function pageIn<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { limit, marker }: PageQuery,
  isFound: (item: T) => boolean = () => true,
): Page<T> {
  const after = marker === undefined ? 0 : all.findIndex((item) => keyOf(item) === marker) + 1;
  if (marker !== undefined && after === 0) throw unknownMarker(marker);
  return pageOf(cutAt(limit, all.slice(after).filter(isFound)), keyOf);
}
