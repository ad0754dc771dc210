// The database interface of repositories, and small shared pieces of SQL text.
import { DATABASE_LIMITS } from '../config/limits/database';
import type { Dialect } from './dialects';

export type SqlValue = string | number | null;
export type SqlParams = readonly SqlValue[];

/** Reads. Inside `Database.read` every statement stands alone; inside a snapshot or a write they share one view. */
export interface SqlReader {
  readonly dialect: Dialect;
  query<R>(sql: string, params?: SqlParams): Promise<readonly R[]>;
  /**
   * Reads a large result: passes the rows to `take` in order, and yields to the event loop after a limited number.
   * SQLite also reads in parts in `Database.readMuch` and in snapshots; elsewhere it reads all rows at once.
   */
  each<R>(sql: string, params: SqlParams, take: (row: R) => void): Promise<void>;
}

/** One write transaction. */
export interface WriteTx extends SqlReader {
  /** Runs a writing statement; returns the number of matched rows. */
  run(sql: string, params?: SqlParams): Promise<number>;
  /** Runs an INSERT of one row; returns its generated key. */
  insert(sql: string, params?: SqlParams): Promise<number>;
  /**
   * Runs the statements in order, if possible in one round trip. At the first failure the remaining statements do not
   * run, and the whole batch fails.
   */
  batch(statements: readonly Statement[]): Promise<readonly StatementResult[]>;
  /**
   * Defers a statement to the end of the transaction, just before the change log and the commit. For statements that
   * cannot fail and whose result is not needed.
   */
  conclude(sql: string, params?: SqlParams): void;
  /**
   * The same for many statements. Each is generated when it is sent, because all of them together would use much
   * memory.
   */
  concludeWith(statements: Iterable<Statement>): void;
  /**
   * Commits now instead of after the work: final statements, change log, commit. If that fails, nothing is committed,
   * and the transaction stays open to find the reason; the work must then throw.
   */
  finish(): Promise<void>;
  /** Records the changes for readers; they are written to the change log before the commit. */
  readonly changes: Changes;
}

/** The changes of a write, for the readers of the provider graph and the scheduler's registries. */
export interface Changes {
  /** Any change of a provider except its usage: existence, name, parent, inventory, traits, aggregates. */
  tree(providerId: number): void;
  /** Only `used` of one inventory record changed. */
  usage(providerId: number, resourceClassId: number): void;
  /** Any change of a compute service: its row, its hosts' reports, its instances. */
  service(serviceId: number): void;
  /** Only the time of its last report changed. */
  serviceSeen(serviceId: number, atMs: number): void;
  /** Any change of a host aggregate. */
  hostAggregate(aggregateId: number): void;
  /** A document of this kind was created, changed or deleted. */
  document(kind: DocumentKind): void;
}

/** Documents that searches do not use; only clients of the change stream learn of their changes. */
export type DocumentKind = 'flavor' | 'image' | 'server group';

/** A statement to be sent. */
export interface Statement {
  readonly sql: string;
  readonly params: SqlParams;
}

/** The result of a statement: rows of a read, counts of a write. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  /** Rows matched, changed or not. */
  readonly affected: number;
  readonly insertId: number;
}

/** `?, ?, ?` for an IN list or a row. An empty IN list is NULL, which equals no value. */
export function marks(count: number): string {
  if (count === 0) return 'NULL';
  return count === 1 ? '?' : `?${', ?'.repeat(count - 1)}`;
}

/** `(?, ?), (?, ?)` for a multi-row VALUES. */
export function rowMarks(rows: number, columns: number): string {
  const row = `(${marks(columns)})`;
  return rows === 1 ? row : `${row}${`, ${row}`.repeat(rows - 1)}`;
}

/**
 * Joins conditions with OR, as a balanced tree: SQLite refuses a chain of a thousand, because it parses it as an
 * expression of depth a thousand.
 */
export function anyOf(conditions: readonly string[]): string {
  if (conditions.length <= 2) return conditions.join(' OR ');
  const middle = conditions.length >> 1;
  return `(${anyOf(conditions.slice(0, middle))}) OR (${anyOf(conditions.slice(middle))})`;
}

/** Splits a list into parts that stay below the database's parameter limit. */
export function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/** Runs a query over many keys in as many statements as needed; `textOf` gets the parameter marks of each. */
export async function queryAmong<R>(
  sql: SqlReader,
  keys: readonly SqlValue[],
  textOf: (marks: string) => string,
  { before = [], size = DATABASE_LIMITS.idsPerStatement }: AmongOptions = {},
): Promise<readonly R[]> {
  const found: R[] = [];
  for (const part of chunks(keys, size)) {
    for (const row of await sql.query<R>(textOf(marks(part.length)), [...before, ...part])) found.push(row);
  }
  return found;
}

/** The same for a writing statement; returns the number of matched rows. */
export async function runAmong(
  tx: WriteTx,
  keys: readonly SqlValue[],
  textOf: (marks: string) => string,
  { before = [], size = DATABASE_LIMITS.idsPerStatement }: AmongOptions = {},
): Promise<number> {
  let matched = 0;
  for (const part of chunks(keys, size)) matched += await tx.run(textOf(marks(part.length)), [...before, ...part]);
  return matched;
}

interface AmongOptions {
  /** Parameters before the keys. */
  readonly before?: SqlParams;
  /** Keys per statement. */
  readonly size?: number;
}

/** Inserts rows; returns false if one of them already exists. */
export async function insertUnlessThere(tx: WriteTx, { sql, params }: Statement): Promise<boolean> {
  try {
    await tx.run(sql, params);
    return true;
  } catch (error) {
    if (tx.dialect.classify(error) !== 'duplicate') throw error;
    return false;
  }
}
