// SQLite's connections: one of each data source, synchronous inside.
import { LRUCache } from 'lru-cache';
import BetterSqlite from 'better-sqlite3';
import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits';
import { Unavailable } from '../domain/errors';
import { tracing } from '../tracing/tracing';
import { turns } from '../turns/turns';
import { NO_ROWS } from './connections';
import { SQLITE } from './dialects';
import { takePart } from './row-parts';
import type { Connection, ConnectionLimits, ConnectionSource } from './connections';
import type { SqlParams, StatementResult } from './sql';

/** The one connection of a data source, which is closed by whoever opened it, or here where that is said. */
export class SqliteSource implements ConnectionSource {
  private readonly connection: Connection;

  constructor(
    source: DataSource,
    private readonly whenClosed: () => Promise<void> = async () => undefined,
    connectionOn: (handle: SqliteHandle) => Connection = sqliteConnection,
  ) {
    this.connection = connectionOn(handleOf(source));
  }

  async acquire(): Promise<Connection> {
    return this.connection;
  }

  /** There is no other host. */
  distrust(): void {}

  close(): Promise<void> {
    return this.whenClosed();
  }
}

/**
 * Connections for what reads much, each for one reader at a time: a statement that is put down between two of its rows
 * keeps its connection at the state it began with. The first is that of a data source; others are opened like it when
 * they are needed, as many as are let in at once.
 */
export class SqliteReaders implements ConnectionSource {
  private readonly idle: Connection[] = [];
  private readonly opened: SqliteHandle[] = [];
  private readonly path: string;

  constructor(
    source: DataSource,
    private readonly whenClosed: () => Promise<void> = async () => undefined,
  ) {
    const first = handleOf(source);
    this.path = first.name;
    this.idle.push(this.connectionOn(first));
  }

  async acquire(): Promise<Connection> {
    return this.idle.pop() ?? this.open();
  }

  /** There is no other host. */
  distrust(): void {}

  async close(): Promise<void> {
    for (const handle of this.opened) handle.close();
    await this.whenClosed();
  }

  private open(): Connection {
    const handle = new BetterSqlite(this.path, { readonly: true, timeout: DATABASE_LIMITS.sqliteBusyTimeoutMs });
    this.opened.push(handle);
    return this.connectionOn(handle);
  }

  private connectionOn(handle: SqliteHandle): Connection {
    const connection: Connection = readingConnection(handle, () => this.idle.push(connection));
    return connection;
  }
}

const handleOf = (source: DataSource): SqliteHandle =>
  (source.driver as unknown as { databaseConnection: SqliteHandle }).databaseConnection;

const SYSTEM = { 'db.system.name': 'sqlite' };

type Prepared = (sql: string) => Statement;

function preparedOn(handle: SqliteHandle): Prepared {
  const kept = new LRUCache<string, Statement>({ max: DATABASE_LIMITS.preparedStatements });
  return (sql) => {
    let statement = kept.get(sql);
    // One that is put down between two rows is not there for others.
    if (statement === undefined || statement.busy) {
      statement = handle.prepare(sql);
      kept.set(sql, statement);
    }
    return statement;
  };
}

function sqliteConnection(handle: SqliteHandle, prepared = preparedOn(handle)): Connection {
  return {
    identity: handle,
    control: SQLITE.control,
    ...inSequence((sql, params) =>
      // Synchronous inside: without turns, a transaction of a thousand statements would be one piece to everybody else.
      tracing.within('statement', sql, () => turns.paced(() => executeSqlite(prepared(sql), params)), SYSTEM),
    ),
    // Nothing travels, and a statement holds the whole process, so there is nobody who could cut it off.
    limit: () => undefined,
    deadline: () => undefined,
    onEnd: () => undefined,
    release: () => undefined,
    destroy: () => undefined,
  };
}

/**
 * That of the one who writes, who has it to himself: what he reads row by row comes in parts, and what he issues meanwhile
 * waits, for SQLite writes nothing on a connection that still reads. A statement that waits for its turn is not overtaken
 * by what is issued behind it, the end of the transaction least of all.
 */
export function sqliteWriter(handle: SqliteHandle): Connection {
  const prepared = preparedOn(handle);
  const connection = sqliteConnection(handle, prepared);
  const inOrder = oneByOne();
  return {
    ...connection,
    ...inSequence((sql, params) => inOrder(() => connection.execute(sql, params))),
    each: (sql, params, take) =>
      inOrder(async () => {
        const rows = await turns.paced(() => prepared(sql).iterate(...params));
        try {
          while (!(await turns.paced(() => takePart(rows, take))));
        } finally {
          rows.return?.();
        }
      }),
  };
}

/** Runs what it is given in the order of the calls, each when the one before has ended, however that ended. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let [underWay, last]: [number, Promise<unknown>] = [0, Promise.resolve()];
  const ended = (): void => void (underWay -= 1);
  return (work) => {
    const result = underWay === 0 ? work() : last.then(work);
    underWay += 1;
    last = result.then(ended, ended);
    return result;
  };
}

/** There are no round trips to share, so statements run one after the other. */
function inSequence(execute: Connection['execute']): Pick<Connection, 'execute' | 'batch' | 'begin'> {
  const batch: Connection['batch'] = async (statements) => {
    const results: StatementResult[] = [];
    for (const { sql, params } of statements) results.push(await execute(sql, params));
    return results;
  };
  const begin: Connection['begin'] = async (statements) => {
    for (const sql of statements) await execute(sql, []);
  };
  return { execute, batch, begin };
}

function executeSqlite(statement: Statement, params: SqlParams): StatementResult {
  if (statement.reader) return { rows: statement.all(...params), affected: 0, insertId: 0 };
  const { changes, lastInsertRowid } = statement.run(...params);
  return { rows: NO_ROWS, affected: changes, insertId: Number(lastInsertRowid) };
}

/** Reads in parts: others have their turn between two of them. */
function readingConnection(handle: SqliteHandle, giveBack: () => void): Connection {
  const prepared = preparedOn(handle);
  const walked = new Set<Iterator<unknown>>();
  let limits: ConnectionLimits = { statementMs: DATABASE_LIMITS.statementTimeoutMs };

  async function each(sql: string, params: SqlParams, take: (row: unknown) => void): Promise<void> {
    const until = Math.min(performance.now() + limits.statementMs, limits.until ?? Infinity);
    const rows = await turns.paced(() => prepared(sql).iterate(...params));
    walked.add(rows);
    const part = (): boolean => {
      if (!walked.has(rows)) throw new Unavailable('The reading was given up.');
      return takePart(rows, take);
    };
    try {
      while (!(await turns.paced(part))) {
        if (performance.now() > until) throw new Unavailable('The database did not answer in time.');
      }
    } finally {
      walked.delete(rows);
      rows.return?.();
    }
  }

  const watched: typeof each = (sql, params, take) =>
    tracing.within('statement', sql, () => each(sql, params, take), SYSTEM);

  /** Whatever is still read is given up, for neither its transaction nor the connection could be ended meanwhile. */
  function cutOff(): void {
    for (const rows of walked) rows.return?.();
    walked.clear();
    if (handle.inTransaction) handle.exec('ROLLBACK');
  }

  return {
    identity: handle,
    control: SQLITE.control,
    ...inSequence(async (sql, params) => {
      const statement = prepared(sql);
      if (!statement.reader) return turns.paced(() => executeSqlite(statement, params));
      const rows: unknown[] = [];
      await watched(sql, params, (row) => rows.push(row));
      return { rows, affected: 0, insertId: 0 };
    }),
    each: watched,
    limit: (given) => void (limits = given),
    deadline: () => undefined,
    onEnd: () => undefined,
    release: () => {
      // A branch of work that failed in another: the next reader must not be held at the state it began with.
      if (walked.size > 0) cutOff();
      giveBack();
    },
    destroy: cutOff,
  };
}
