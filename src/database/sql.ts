// What a repository gets to speak to the database with, and the small pieces of SQL text they all need.
import { DATABASE_LIMITS } from '../config/limits';
import type { Dialect } from './dialects';

export type SqlValue = string | number | null;
export type SqlParams = readonly SqlValue[];

/** Reads. Inside `Database.read` every statement stands alone; inside a snapshot or a write they share one view. */
export interface SqlReader {
  readonly dialect: Dialect;
  query<R>(sql: string, params?: SqlParams): Promise<readonly R[]>;
  /**
   * For what may answer many rows: hands each of them over, in their order, a bounded number between two turns of others.
   * On SQLite they are also read so in `Database.readMuch` and in a snapshot; elsewhere the statement is one piece there.
   */
  each<R>(sql: string, params: SqlParams, take: (row: R) => void): Promise<void>;
}

/** One write transaction. */
export interface WriteTx extends SqlReader {
  /** Runs a writing statement; answers the number of rows it matched. */
  run(sql: string, params?: SqlParams): Promise<number>;
  /** Runs an INSERT of one row; answers its generated key. */
  insert(sql: string, params?: SqlParams): Promise<number>;
  /**
   * Runs the statements in their order, in one round trip where there is one. The first that fails ends the batch: the
   * statements behind it do not run, and the whole batch fails.
   */
  batch(statements: readonly Statement[]): Promise<readonly StatementResult[]>;
  /**
   * Leaves a statement for the end of the transaction, behind which only the change log and the commit follow. For
   * what cannot fail any more and whose result nobody needs.
   */
  conclude(sql: string, params?: SqlParams): void;
  /** The same for many, each of which is made when it is sent: together they would be held until then. */
  concludeWith(statements: Iterable<Statement>): void;
  /**
   * Commits now instead of when the work returns: what was left for the end, the change log, the commit. Where that
   * fails nothing is committed, and the transaction is still there for asking why; the work must then throw.
   */
  finish(): Promise<void>;
  /** Says what readers must follow of what this transaction changes; written to the change log before the commit. */
  readonly changes: Changes;
}

/** What a write leaves behind for the readers of the provider graph and of the scheduler's registries. */
export interface Changes {
  /** Anything about a provider but its usage: existence, name, parent, inventory, traits, aggregates. */
  tree(providerId: number): void;
  /** Only `used` of one inventory record changed. */
  usage(providerId: number, resourceClassId: number): void;
  /** Anything about a compute service: its row, its hosts' reports, the instances placed on it. */
  service(serviceId: number): void;
  /** Only the time of its last report moved. */
  serviceSeen(serviceId: number, atMs: number): void;
  /** Anything about a host aggregate. */
  hostAggregate(aggregateId: number): void;
  /** Some document of this kind came, changed or went. */
  document(kind: DocumentKind): void;
}

/** Documents that searches do not look at: of their changes only those who watch are told. */
export type DocumentKind = 'flavor' | 'image' | 'server group';

/** A statement that is yet to be sent. */
export interface Statement {
  readonly sql: string;
  readonly params: SqlParams;
}

/** What a statement did: rows of a reading one, counts of a writing one. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  /** Rows matched, changed or not. */
  readonly affected: number;
  readonly insertId: number;
}

/** `?, ?, ?` for an IN list or a row. An IN list of nothing holds NULL, which equals nothing. */
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
 * True where one of the conditions is. Halved again and again, because SQLite takes a chain of a thousand for an
 * expression a thousand levels deep, and refuses it.
 */
export function anyOf(conditions: readonly string[]): string {
  if (conditions.length <= 2) return conditions.join(' OR ');
  const middle = conditions.length >> 1;
  return `(${anyOf(conditions.slice(0, middle))}) OR (${anyOf(conditions.slice(middle))})`;
}

/** Splits a set so that no statement outgrows the parameters a database takes. */
export function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const parts: T[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/** What is asked about many keys, in as many statements as they need; each is made of the marks of its keys. */
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

/** The same for a writing statement; answers how many rows were matched. */
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
  /** What the statement's parameters before the keys are. */
  readonly before?: SqlParams;
  /** Keys per statement. */
  readonly size?: number;
}

/** Inserts rows; answers false when one of them is there already. */
export async function insertUnlessThere(tx: WriteTx, { sql, params }: Statement): Promise<boolean> {
  try {
    await tx.run(sql, params);
    return true;
  } catch (error) {
    if (tx.dialect.classify(error) !== 'duplicate') throw error;
    return false;
  }
}
