// The connection interface of the data layer, independent of the driver. TypeORM runs migrations only; statements of
// requests go straight to the driver, because TypeORM's runner costs more client CPU than most statements cost the
// server.
import type { TransactionControl } from './dialects';
import type { SqlParams, Statement, StatementResult } from './sql';

export interface Connection {
  /** The driver's own object; identifies a lane. */
  readonly identity: object;
  /** Statements that begin and end its write transactions. */
  readonly control: TransactionControl;
  /**
   * Queues the statements to travel with the next one in the same round trip; on SQLite runs them at once. If one of
   * them fails, the next statement does not run.
   */
  begin(statements: readonly string[]): Promise<void>;
  /**
   * Runs statements in the order of the calls. Only one round trip is in flight: statements issued meanwhile wait, and
   * fail if it fails.
   */
  execute(sql: string, params: SqlParams): Promise<StatementResult>;
  /**
   * Runs the statements in order, on MySQL in one round trip unless their values are too long for one. At the first
   * failure the remaining statements do not run, and the whole batch fails.
   */
  batch(statements: readonly Statement[]): Promise<readonly StatementResult[]>;
  /** Reads row by row; undefined if the driver receives all rows at once. */
  readonly each?: ((sql: string, params: SqlParams, take: (row: unknown) => void) => Promise<void>) | undefined;
  /** Time limits of all further statements; a statement beyond its limit costs the connection. */
  limit(limits: ConnectionLimits): void;
  /**
   * A statement that fails, with all statements in its round trip, if the database runs it after the time limit.
   * Undefined if statements cannot be delayed on their way to the database.
   */
  deadline(): Statement | undefined;
  /** Calls the listener when the connection has ended, for any reason. */
  onEnd(listener: () => void): void;
  release(): void;
  /** Cuts the connection off at once; all pending statements are rejected. */
  destroy(): void;
}

export interface ConnectionLimits {
  /** Limit of one round trip. */
  readonly statementMs: number;
  /** Deadline of all statements together, by `performance.now()`. */
  readonly until?: number;
}

/** The connections that are currently open. */
export interface PoolCounts {
  readonly busy: number;
  readonly idle: number;
}

/** A source of connections. */
export interface ConnectionSource {
  /** Only for a pool. */
  readonly counts?: PoolCounts;
  /** A connection for the exclusive use of the caller until it is released. Never waits: a gate limits the callers. */
  acquire(): Promise<Connection>;
  /** Reports that the database cannot serve on this connection now; another host may be able to. */
  distrust(connection: Connection): void;
  close(): Promise<void>;
}

export interface ConnectionSources {
  readonly writer: ConnectionSource;
  readonly reader: ConnectionSource;
  readonly snapshot: ConnectionSource;
}

/** Separates the statements of a batch. No statement contains it, because values are never part of the text. */
export const BATCH_SEPARATOR = ';\n';

export const NO_ROWS: readonly unknown[] = [];

export async function closeSources({ snapshot, reader, writer }: ConnectionSources): Promise<void> {
  for (const source of new Set([snapshot, reader, writer])) await source.close();
}
