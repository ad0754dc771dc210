// Pages of a registry's table: in the order of creation, one more row than asked tells whether there is another page.
import { SCHEDULER_LIMITS } from '../config/limits';
import { canonicalUuid } from '../domain/uuid';
import type { SqlParams, SqlReader, SqlValue } from '../database/sql';
import { unknownMarker } from './registry-page';
import type { Page, PageQuery } from './registry-page';

export type Condition = readonly [text: string, params: readonly SqlValue[]];

/** Columns that have to hold these values, where one is given. */
export const equal = (values: Readonly<Record<string, SqlValue | undefined>>): readonly Condition[] =>
  Object.entries(values).flatMap(([column, value]): Condition[] =>
    value === undefined ? [] : [[`${column} = ?`, [value]]],
  );

/** All of them, as a statement says it, and their values. */
export function whereOf(conditions: readonly Condition[]): { readonly where: string; readonly params: SqlParams } {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(([text]) => text).join(' AND ')}`;
  return { where, params: conditions.flatMap(([, params]) => [...params]) };
}

export interface PageSource {
  /** `SELECT … FROM … `, without a WHERE. */
  readonly select: string;
  /** The column of the row's number, with its alias. */
  readonly id: string;
  /** The table, and its column that clients name documents by. */
  readonly table: string;
  readonly key: string;
}

/** What a page shows, before it is known by what the next one is found. */
interface Part<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/**
 * What is read of the rows of a page, in parts. Where rows are long it ends early, as if fewer had been asked: a page has
 * at most `SCHEDULER_LIMITS.pageCharacters`, and at least one row.
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
  let [characters, asked, isLonger] = [0, Math.min(limit, FIRST_ROWS), false];
  for (;;) {
    let taken = 0;
    const { where, params } = whereOf([[`${source.id} > ${after}`, []], ...conditions]);
    await sql.each<R & Numbered>(`${selected}${where} ORDER BY ${source.id} LIMIT ${asked + 1}`, params, (row) => {
      taken += 1;
      isLonger ||= items.length > 0 && characters >= SCHEDULER_LIMITS.pageCharacters;
      if (isLonger || taken > asked) return;
      after = row.page_row;
      characters += charactersOf(row);
      items.push(read(row));
    });
    const hasMore = isLonger || taken > asked;
    if (!hasMore || isLonger || items.length >= limit) return { items, hasMore };
    const room = (SCHEDULER_LIMITS.pageCharacters - characters) / (characters / items.length);
    asked = Math.min(limit - items.length, Math.max(1, Math.ceil(room)));
  }
}

interface Numbered {
  readonly page_row: number;
}

/** Rows of which nobody knows yet how long they are. */
const FIRST_ROWS = 32;

function charactersOf(row: object): number {
  let sum = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') sum += value.length;
  return sum;
}

async function idOfMarker(sql: SqlReader, { table, key }: PageSource, marker: string): Promise<number> {
  // A column of uuids compares with nothing but ASCII.
  const wanted = key === 'uuid' ? canonicalUuid(marker) : marker;
  const [row] =
    wanted === undefined ? [] : await sql.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${key} = ?`, [wanted]);
  if (row === undefined) throw unknownMarker(marker);
  return row.id;
}

/** Of rows read with one more than asked. */
export function cutAt<T>(limit: number, found: readonly T[]): Part<T> {
  return { items: found.slice(0, limit), hasMore: found.length > limit };
}

export function pageOf<T>({ items, hasMore }: Part<T>, keyOf: (item: T) => string): Page<T> {
  const last = items.at(-1);
  return { items, next: hasMore && last !== undefined ? keyOf(last) : null };
}
