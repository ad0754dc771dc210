// What a connection is to the data layer, whichever driver it comes from. TypeORM runs migrations; statements of
// requests go straight to the driver, because TypeORM's runner costs more client CPU than most of our statements cost
// the server.
import type { TransactionControl } from './dialects';
import type { SqlParams, Statement, StatementResult } from './sql';

export interface Connection {
  /** The driver's own object: the identity of a lane. */
  readonly identity: object;
  /** How its write transactions are begun and ended. */
  readonly control: TransactionControl;
  /**
   * Sends the statements with the next one, in its round trip; on SQLite runs them at once. If one of them fails, the
   * next statement does not run.
   */
  begin(statements: readonly string[]): Promise<void>;
  /**
   * In the order of the calls. One round trip is under way at a time: statements that are issued meanwhile wait, and fail
   * with it.
   */
  execute(sql: string, params: SqlParams): Promise<StatementResult>;
  /**
   * Runs the statements in their order, on MySQL in one round trip unless their values are too long for one. The first
   * that fails ends the batch: the statements behind it do not run, and the whole batch fails.
   */
  batch(statements: readonly Statement[]): Promise<readonly StatementResult[]>;
  /** `execute` for what reads, row by row, where rows can be held back; elsewhere they arrive all at once. */
  readonly each?: ((sql: string, params: SqlParams, take: (row: unknown) => void) => Promise<void>) | undefined;
  /** How long what is executed from now on may take; a statement beyond it costs the connection. */
  limit(limits: ConnectionLimits): void;
  /**
   * Fails, and all that travels with it, when the database gets to it after the time that is left for what is sent now.
   * Undefined where nothing can be held up on its way to the database.
   */
  deadline(): Statement | undefined;
  /** Calls back when the connection has ended, in whichever way. */
  onEnd(listener: () => void): void;
  release(): void;
  /** Cuts the connection off in the middle of whatever it does; all that waits for it is told. */
  destroy(): void;
}

export interface ConnectionLimits {
  /** One statement, or those that travel together. */
  readonly statementMs: number;
  /** All of them, by `performance.now()`. */
  readonly until?: number;
}

/** The connections that are open now. */
export interface PoolCounts {
  readonly busy: number;
  readonly idle: number;
}

/** Where connections come from. */
export interface ConnectionSource {
  /** Of a pool. */
  readonly counts?: PoolCounts;
  /** A connection that nobody else has until it is released. Never waits for others: a gate stands before it. */
  acquire(): Promise<Connection>;
  /** The database answered on this connection that it cannot serve now: another host may. */
  distrust(connection: Connection): void;
  close(): Promise<void>;
}

export interface ConnectionSources {
  readonly writer: ConnectionSource;
  readonly reader: ConnectionSource;
  readonly snapshot: ConnectionSource;
}

/** Between the statements of a batch. No statement of ours holds it: values are never part of the text. */
export const BATCH_SEPARATOR = ';\n';

export const NO_ROWS: readonly unknown[] = [];

export async function closeSources({ snapshot, reader, writer }: ConnectionSources): Promise<void> {
  for (const source of new Set([snapshot, reader, writer])) await source.close();
}
