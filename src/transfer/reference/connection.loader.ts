// One connection to a database with the schema of OpenStack Placement, in MySQL or SQLite. It has no pool and no change
// log, because the database does not belong to Berth.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import { parseDatabaseUrl } from '../../platform/config/database-url';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import type { MysqlDatabase, SqliteDatabase } from '../../platform/config/platform-config';
import { ForeignMysql } from '../../platform/database/foreign-mysql';
import type { SqlParams } from '../../platform/database/sql';
import { Sqlite } from '../../platform/database/sqlite-driver';

/** The time limit of a statement, which can be an aggregation over a whole table. */
const STATEMENT_MS = 600_000;

type MysqlReference = Omit<MysqlDatabase, 'poolSize' | 'acquireTimeoutMs'>;
type ReferenceAddress = SqliteDatabase | MysqlReference;

export interface ReferenceConnection {
  readonly kind: 'mysql' | 'sqlite';
  query<R>(sql: string, params?: SqlParams): Promise<readonly R[]>;
  run(sql: string, params?: SqlParams): Promise<void>;
  /** All statements of `work` read the same snapshot. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  /** All statements of `work` are one transaction. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** An SQL expression for a number below 2^48 that depends on every one of the columns. */
  rowHash(columns: readonly string[]): string;
  close(): Promise<void>;
}

/** `write` creates a missing SQLite file. `scratch` does too, without durability: the file is useless after a crash. */
type ReferenceUse = 'read' | 'write' | 'scratch';

export async function openReference(
  address: ReferenceAddress,
  use: ReferenceUse = 'read',
): Promise<ReferenceConnection> {
  return address.kind === 'sqlite' ? openSqlite(address.path, use) : openMysql(address);
}

/** Parses the URL of an option and adds the separate password. Throws if it is invalid. */
export function referenceAddress(
  option: '--from' | '--to',
  text: string,
  cwd: string,
  password: string | undefined,
): ReferenceAddress {
  const parsed = parseDatabaseUrl(text, cwd);
  if (!parsed.ok) throw new Error(`${option} ${parsed.problem}`);
  const { address } = parsed;
  if (address.kind === 'sqlite' || password === undefined) return address;
  if (address.password !== '')
    throw new Error(`${option} contains a password, and another one is given. Use only one of them.`);
  return { ...address, password };
}

/** The URL without its password, for messages. */
export function shownAddress(address: ReferenceAddress): string {
  if (address.kind === 'sqlite') return `sqlite:///${address.path}`;
  const hosts = address.hosts.map(({ host, port }) => `${host}:${port}`).join(',');
  return `mysql://${address.socketPath ?? hosts}/${address.database}`;
}

/** 48 bits of a digest: the sum of about 2 000 of them stays exact in both databases. */
const HASH_DIGITS = 12;

function openSqlite(path: string, use: ReferenceUse): ReferenceConnection {
  if (use === 'read' && !existsSync(path)) throw new Error(`there is no file ${path}`);
  const handle = new Sqlite(path, {
    readonly: use === 'read',
    timeout: DATABASE_LIMITS.lockWaitTimeoutSeconds * 1000,
  });
  handle.function('row_hash', { deterministic: true }, (text: unknown) =>
    parseInt(createHash('sha224').update(String(text)).digest('hex').slice(0, HASH_DIGITS), 16),
  );
  handle.pragma(`foreign_keys = ${use === 'write' ? 'ON' : 'OFF'}`);
  if (use === 'scratch') handle.pragma('synchronous = OFF');
  return sqliteReference(handle);
}

function sqliteReference(handle: SqliteHandle): ReferenceConnection {
  const prepared = new Map<string, Statement>();
  const statement = (sql: string): Statement => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    if (prepared.size >= DATABASE_LIMITS.preparedStatements) prepared.clear();
    const made = handle.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const within = async <T>(begin: string, work: () => Promise<T>): Promise<T> => {
    handle.exec(begin);
    try {
      const result = await work();
      handle.exec('COMMIT');
      return result;
    } catch (error) {
      if (handle.inTransaction) handle.exec('ROLLBACK');
      throw error;
    }
  };
  return {
    kind: 'sqlite',
    query: async <R>(sql: string, params: SqlParams = []) => {
      await new Promise((resume) => setImmediate(resume));
      return statement(sql).all(...params) as R[];
    },
    run: async (sql, params = []) => {
      await new Promise((resume) => setImmediate(resume));
      statement(sql).run(...params);
    },
    snapshot: (work) => within('BEGIN', work),
    transaction: (work) => within('BEGIN IMMEDIATE', work),
    rowHash: (columns) => `row_hash(${textOf(columns)})`,
    close: async () => void handle.close(),
  };
}

/** Joins the columns with a separator. NULL and an empty text give different results. */
const textOf = (columns: readonly string[]): string =>
  `CONCAT_WS('/', ${columns.map((column) => `COALESCE(${column}, '~')`).join(', ')})`;

async function openMysql(address: MysqlReference): Promise<ReferenceConnection> {
  const connection = await ForeignMysql.open(address, {
    setUp: [
      // Reads single-precision ratios as text, as the reference does: 0.7, not 0.699999988.
      "SET SESSION sql_mode = 'TRADITIONAL,NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00'",
      'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    ],
    openMs: DATABASE_LIMITS.connectTimeoutMs,
    statementMs: STATEMENT_MS,
  }).catch((error: Error) => {
    throw new Error(`${shownAddress(address)} cannot be opened: ${error.message}`, { cause: error });
  });
  return {
    kind: 'mysql',
    query: (sql, params) => connection.rows(sql, params),
    run: async (sql, params) => void (await connection.rows(sql, params)),
    snapshot: (work) => connection.snapshot(work),
    transaction: (work) => connection.transaction(work),
    rowHash: (columns) => `CAST(CONV(LEFT(SHA2(${textOf(columns)}, 224), ${HASH_DIGITS}), 16, 10) AS UNSIGNED)`,
    close: async () => connection.close(),
  };
}
