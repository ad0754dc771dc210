// SQLite connections: one per data source, synchronous inside.
import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits/database';
import { tasks } from '../event-loop/task-scheduler';
import { tracing } from '../tracing/tracing';
import { Unavailable } from '../values/errors';
import type { Connection, ConnectionLimits, ConnectionSource } from './connections';
import { NO_ROWS } from './connections';
import { SQLITE } from './dialects';
import { takePart } from './row-parts';
import type { SqlParams, StatementResult } from './sql';
import { Sqlite } from './sqlite-driver';

/** The single connection of a data source. `whenClosed` closes it; by default the code that opened the source does. */
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
 * Connections for large reads, each for one reader at a time: a statement that pauses between two rows keeps its
 * connection at its snapshot. The first belongs to the data source; the others are opened on demand, up to the gate's
 * limit.
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
    const handle = new Sqlite(this.path, { readonly: true, timeout: DATABASE_LIMITS.sqliteBusyTimeoutMs });
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
  const kept = new LRUCache<string, Statement>({
    max: DATABASE_LIMITS.preparedStatements,
    maxSize: DATABASE_LIMITS.preparedCharacters,
    sizeCalculation: (_, sql) => sql.length,
  });
  return (sql) => {
    let statement = kept.get(sql);
    // A statement that is paused between two rows cannot be shared.
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
      // SQLite is synchronous: without yields, a transaction of a thousand statements would block the event loop.
      tracing.within('statement', sql, () => tasks.paced(() => executeSqlite(prepared(sql), params)), SYSTEM),
    ),
    // A statement has no network delay and blocks the whole process, so no limit could interrupt it.
    limit: () => undefined,
    deadline: () => undefined,
    onEnd: () => undefined,
    release: () => undefined,
    destroy: () => undefined,
  };
}

/**
 * The writer's connection, for one transaction at a time. Row-by-row reads run in parts. Statements issued meanwhile
 * wait, because SQLite cannot write on a connection with an open read. Statements, and the end of the transaction, keep
 * their order.
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
        const rows = await tasks.paced(() => prepared(sql).iterate(...params));
        try {
          while (!(await tasks.paced(() => takePart(rows, take))));
        } finally {
          rows.return?.();
        }
      }),
  };
}

/** Runs tasks one after the other in the order of the calls; a failure does not stop the next task. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let [inFlight, last]: [number, Promise<unknown>] = [0, Promise.resolve()];
  const ended = (): void => void (inFlight -= 1);
  return (work) => {
    const result = inFlight === 0 ? work() : last.then(work);
    inFlight += 1;
    last = result.then(ended, ended);
    return result;
  };
}

/** There are no round trips to share, so statements run one by one. */
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

/** Reads in parts and yields to the event loop in between. */
function readingConnection(handle: SqliteHandle, giveBack: () => void): Connection {
  const prepared = preparedOn(handle);
  const walked = new Set<Iterator<unknown>>();
  let limits: ConnectionLimits = { statementMs: DATABASE_LIMITS.statementTimeoutMs };

  async function each(sql: string, params: SqlParams, take: (row: unknown) => void): Promise<void> {
    const until = Math.min(performance.now() + limits.statementMs, limits.until ?? Infinity);
    const rows = await tasks.paced(() => prepared(sql).iterate(...params));
    walked.add(rows);
    const part = (): boolean => {
      if (!walked.has(rows)) throw new Unavailable('The reading was given up.');
      return takePart(rows, take);
    };
    try {
      while (!(await tasks.paced(part))) {
        if (performance.now() > until) throw new Unavailable('The database did not answer in time.');
      }
    } finally {
      walked.delete(rows);
      rows.return?.();
    }
  }

  const watched: typeof each = (sql, params, take) =>
    tracing.within('statement', sql, () => each(sql, params, take), SYSTEM);

  /** Stops all open reads; otherwise neither the transaction nor the connection could be ended. */
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
      if (!statement.reader) return tasks.paced(() => executeSqlite(statement, params));
      const rows: unknown[] = [];
      await watched(sql, params, (row) => rows.push(row));
      return { rows, affected: 0, insertId: 0 };
    }),
    each: watched,
    limit: (given) => void (limits = given),
    deadline: () => undefined,
    onEnd: () => undefined,
    release: () => {
      // Reads of an abandoned branch must not keep the next reader at an old snapshot.
      if (walked.size > 0) cutOff();
      giveBack();
    },
    destroy: cutOff,
  };
}
