// Connections as the drivers give them. TypeORM opens pools and runs migrations; statements of requests go straight to
// the driver, because TypeORM's runner costs more client CPU than most of our statements cost the server.
import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import type { Pool, PoolConnection, ResultSetHeader } from 'mysql2';
import type { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits';
import { BoundedMap } from './bounded-map';
import type { SqlParams, SqlValue } from './sql';
import { turns } from '../turns/turns';

/** What a statement did: rows of a reading one, counts of a writing one. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  /** Rows matched, changed or not. */
  readonly affected: number;
  readonly insertId: number;
}

export interface Connection {
  /** The driver's own object: the identity of a lane. */
  readonly identity: object;
  /** Starts at once, in the order of the calls; on MySQL calls that do not wait for each other share a round trip. */
  execute(sql: string, params: SqlParams): Promise<StatementResult>;
  release(): void;
  /** Cuts the connection off in the middle of whatever it does. */
  destroy(): void;
}

/** A free connection of the source; on SQLite always the one it has. */
export async function acquire(source: DataSource): Promise<Connection> {
  return source.options.type === 'mysql' ? acquireMysql(source) : sqliteConnection(source);
}

function acquireMysql(source: DataSource): Promise<Connection> {
  const { pool } = source.driver as unknown as { pool: Pool };
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => {
      if (error) reject(error);
      else resolve(mysqlConnection(connection));
    });
  });
}

function mysqlConnection(handle: PoolConnection): Connection {
  const batch = new MysqlBatch(handle);
  return {
    identity: handle,
    execute: (sql, params) => batch.add(sql, params),
    release: () => handle.release(),
    destroy: () => handle.destroy(),
  };
}

interface Waiting {
  readonly sql: string;
  readonly params: SqlParams;
  readonly resolve: (result: StatementResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Between the statements of a batch. No statement of ours holds it: values are never part of the text. */
export const BATCH_SEPARATOR = ';\n';

/**
 * Statements issued together, none waiting for another's result, travel together: one round trip. The server runs them
 * in order and stops at the first that fails; then all of them are told so, because what ran before is rolled back.
 */
class MysqlBatch {
  private waiting: Waiting[] = [];

  constructor(private readonly handle: PoolConnection) {}

  add(sql: string, params: SqlParams): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      // Runs when everything that was ready to go on has done so, and has issued its statements.
      if (this.waiting.length === 0) process.nextTick(() => this.send());
      this.waiting.push({ sql, params, resolve, reject });
    });
  }

  private send(): void {
    const batch = this.waiting;
    this.waiting = [];
    const [first] = batch;
    if (first !== undefined && batch.length === 1) {
      this.sendAlone(first);
      return;
    }
    const sql = batch.map((each) => each.sql).join(BATCH_SEPARATOR);
    const params = batch.flatMap((each) => [...each.params]);
    this.handle.query(sql, params, (error, result) => {
      if (error) for (const { reject } of batch) reject(error);
      else for (const [at, { resolve }] of batch.entries()) resolve(resultOf((result as unknown[])[at]));
    });
  }

  private sendAlone({ sql, params, resolve, reject }: Waiting): void {
    const done = (error: Error | null, result: unknown): void => {
      if (error) reject(error);
      else resolve(resultOf(result));
    };
    if (isPlainQuestion(sql, params)) this.handle.execute(sql, params as SqlValue[], done);
    else this.handle.query(sql, [...params], done);
  }
}

/** Texts of statements that are worth keeping at the server: few, because they do not grow with their values. */
const KEPT_PARAMETERS = 2;

/**
 * Whether the server may keep the statement prepared, which saves it a third of its work. Only for texts as values:
 * the driver would send numbers as floating point.
 */
function isPlainQuestion(sql: string, params: SqlParams): boolean {
  if (params.length === 0 || params.length > KEPT_PARAMETERS) return false;
  return sql.startsWith('SELECT') && params.every((param) => typeof param === 'string');
}

function resultOf(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result, affected: 0, insertId: 0 };
  const { affectedRows: affected, insertId } = result as ResultSetHeader;
  return { rows: NO_ROWS, affected, insertId };
}

const NO_ROWS: readonly unknown[] = [];

const STATEMENTS = new WeakMap<SqliteHandle, BoundedMap<string, Statement>>();

function sqliteConnection(source: DataSource): Connection {
  const { databaseConnection: handle } = source.driver as unknown as { databaseConnection: SqliteHandle };
  return {
    identity: handle,
    // Synchronous inside: without turns, a transaction of a thousand statements would be one piece to everybody else.
    execute: (sql, params) => turns.paced(() => executeSqlite(handle, sql, params)),
    release: () => undefined,
    destroy: () => undefined,
  };
}

function executeSqlite(handle: SqliteHandle, sql: string, params: SqlParams): StatementResult {
  const prepared = STATEMENTS.get(handle) ?? new BoundedMap<string, Statement>(DATABASE_LIMITS.preparedStatements);
  STATEMENTS.set(handle, prepared);
  let statement = prepared.get(sql);
  if (statement === undefined) {
    statement = handle.prepare(sql);
    prepared.set(sql, statement);
  }
  if (statement.reader) return { rows: statement.all(...params), affected: 0, insertId: 0 };
  const { changes, lastInsertRowid } = statement.run(...params);
  return { rows: NO_ROWS, affected: changes, insertId: Number(lastInsertRowid) };
}
