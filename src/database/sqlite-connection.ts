// SQLite's connections: one of each data source, synchronous inside.
import type { Database as SqliteHandle, Statement } from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits';
import { turns } from '../turns/turns';
import { BoundedMap } from './bounded-map';
import { NO_ROWS } from './connections';
import { SQLITE } from './dialects';
import type { Connection, ConnectionSource, StatementResult } from './connections';
import type { SqlParams } from './sql';

/** The one connection of a data source, which is closed by whoever opened it, or here where that is said. */
export class SqliteSource implements ConnectionSource {
  private readonly connection: Connection;

  constructor(
    source: DataSource,
    private readonly whenClosed: () => Promise<void> = async () => undefined,
  ) {
    const { databaseConnection: handle } = source.driver as unknown as { databaseConnection: SqliteHandle };
    this.connection = sqliteConnection(handle);
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

function sqliteConnection(handle: SqliteHandle): Connection {
  const prepared = new BoundedMap<string, Statement>(DATABASE_LIMITS.preparedStatements);
  return {
    identity: handle,
    control: SQLITE.control,
    // Synchronous inside: without turns, a transaction of a thousand statements would be one piece to everybody else.
    execute: (sql, params) => turns.paced(() => executeSqlite(handle, prepared, sql, params)),
    // Nothing travels, and a statement holds the whole process, so there is nobody who could cut it off.
    limit: () => undefined,
    deadline: () => undefined,
    onEnd: () => undefined,
    release: () => undefined,
    destroy: () => undefined,
  };
}

function executeSqlite(
  handle: SqliteHandle,
  prepared: BoundedMap<string, Statement>,
  sql: string,
  params: SqlParams,
): StatementResult {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    statement = handle.prepare(sql);
    prepared.set(sql, statement);
  }
  if (statement.reader) return { rows: statement.all(...params), affected: 0, insertId: 0 };
  const { changes, lastInsertRowid } = statement.run(...params);
  return { rows: NO_ROWS, affected: changes, insertId: Number(lastInsertRowid) };
}
