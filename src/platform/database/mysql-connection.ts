// One connection to MySQL with time limits on every operation. The driver has no limits and only half-closes a
// destroyed connection. So this class owns the socket: a cut connection ends at once, and all pending statements are
// rejected.
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { ConnectionOptions, Connection as Handle } from 'mysql2';
import { DATABASE_LIMITS } from '../config/limits/database';
import type { Piece } from '../tracing/tracing';
import { tracing } from '../tracing/tracing';
import type { Connection, ConnectionLimits } from './connections';
import { BATCH_SEPARATOR } from './connections';
import type { Credentials, HostAddress, MysqlTarget } from './data-source';
import type { TransactionControl } from './dialects';
import { CERTIFICATION, MYSQL } from './dialects';
import { isPrepared, NOTHING_DONE, resultOf, roundTripsOf } from './mysql-statements';
import type { SqlParams, SqlValue, Statement, StatementResult } from './sql';

/** Why a connection was cut off, with an error code of the driver. */
class CutOff extends Error {
  constructor(
    message: string,
    readonly code: 'ETIMEDOUT' | 'PROTOCOL_CONNECTION_LOST',
  ) {
    super(message);
  }
}

const ended = (message: string): CutOff => new CutOff(message, 'PROTOCOL_CONNECTION_LOST');

/** One round trip. */
interface Waiting {
  readonly statements: readonly Statement[];
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (error: unknown) => void;
  /** The caller's trace span: the statement is often sent in the async context of the preceding answer. */
  readonly parentSpan?: object | undefined;
}

/**
 * A batch is one round trip. The server runs its statements in order and stops at the first failure. Then the whole
 * batch fails, because the earlier statements are rolled back. Statements issued meanwhile fail too: without their
 * transaction they would run alone.
 */
export class MysqlConnection implements Connection {
  readonly identity: object;
  /** The server was read-only when the clock was last read. */
  isReadOnly = false;
  control: TransactionControl = MYSQL.control;
  private waiting: Waiting[] = [];
  /** Statements that travel with the next one. */
  private first: readonly Statement[] = [];
  /** Sent and not answered yet. */
  private sent: Waiting | undefined;
  /** The trace span of the current round trip. */
  private piece: Piece | undefined;
  private readonly endListeners: (() => void)[] = [];
  private ended: Error | undefined;
  private limits: ConnectionLimits = REQUEST;
  /** Deadline of the answer, by `performance.now()`; Infinity while no statement is in flight. */
  private dueAt = Infinity;
  private askedAt = 0;
  private lastSeenAt = performance.now();
  /**
   * The database's clock minus `performance.now()`, in milliseconds. Latency can make it too small, never too large.
   */
  private clock = { offsetMs: 0, readAt: -Infinity };

  constructor(
    readonly host: HostAddress,
    private readonly handle: Handle,
    private readonly socket: Socket,
    private readonly giveBack: (connection: MysqlConnection) => void,
    /** Values as text in both directions, with no prepared statements. */
    private readonly isText = false,
  ) {
    this.identity = handle;
    handle.on('error', (error: Error) => this.end(error));
    handle.on('end', () => this.end(ended('the server ended the connection')));
    socket.on('close', () => this.end(ended('the connection was closed')));
  }

  /** The error that ended the connection; undefined while it is open. */
  get endedBy(): Error | undefined {
    return this.ended;
  }

  /** Whether no data has arrived since then, by `performance.now()`. */
  isSilentSince(then: number): boolean {
    return this.lastSeenAt < then;
  }

  limit(limits: ConnectionLimits): void {
    this.limits = limits;
  }

  onEnd(listener: () => void): void {
    this.endListeners.push(listener);
  }

  release(): void {
    this.limits = REQUEST;
    this.giveBack(this);
  }

  destroy(): void {
    this.end(ended('the connection was cut off'));
  }

  /** Cuts the connection off if its answer is overdue; then returns when the statement was sent. */
  sweep(now: number): number | undefined {
    if (now <= this.dueAt) return undefined;
    this.end(new CutOff('the database did not answer in time', 'ETIMEDOUT'));
    return this.askedAt;
  }

  giveUp(withinMs: number): void {
    this.end(new CutOff(`the database did not answer within ${withinMs / 1000} s`, 'ETIMEDOUT'));
  }

  begin(statements: readonly string[]): Promise<void> {
    this.first = [...this.first, ...statements.map((sql) => ({ sql, params: [] }))];
    return Promise.resolve();
  }

  async execute(sql: string, params: SqlParams): Promise<StatementResult> {
    const [result] = await this.batch([{ sql, params }]);
    return result ?? NOTHING_DONE;
  }

  async batch(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    const { first } = this;
    this.first = [];
    const all = first.length === 0 ? statements : [...first, ...statements];
    const trips = roundTripsOf(all).map((trip) => this.issue(trip));
    const [only, ...others] = await Promise.all(trips);
    const results = others.length === 0 ? (only ?? []) : [...(only ?? []), ...others.flat()];
    return first.length === 0 ? results : results.slice(first.length);
  }

  private issue(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(this.ended);
      this.waiting.push({ statements, resolve, reject, parentSpan: tracing.here() });
      this.send();
    });
  }

  /**
   * A statement that fails after the deadline in the database's time, so statements that were delayed are refused
   * there.
   */
  deadline(): Statement {
    const at = new Date(this.dueOf(performance.now()) + this.clock.offsetMs).toISOString();
    return { sql: LATE, params: [at.slice(0, -1).replace('T', ' ')] };
  }

  /** Sets up the session. */
  async setUp(): Promise<void> {
    this.limits = { statementMs: DATABASE_LIMITS.connectTimeoutMs };
    await this.begin([...MYSQL.sessionSetup, SESSION_BOUNDS]);
    await this.readClock();
    const { rows } = await this.execute(CERTIFICATION.question, []);
    if (CERTIFICATION.isGivenBy(rows)) this.control = CERTIFICATION.control;
    this.limits = REQUEST;
  }

  async readClock(): Promise<void> {
    const { rows } = await this.execute(
      'SELECT CAST(UTC_TIMESTAMP(3) AS CHAR) AS clock, @@GLOBAL.read_only AS locked',
      [],
    );
    const [{ clock, locked }] = rows as [{ clock: string; locked: number | string }];
    const readAt = performance.now();
    this.clock = { offsetMs: Date.parse(`${clock.replace(' ', 'T')}Z`) - readAt, readAt };
    this.isReadOnly = locked !== 0 && locked !== 'OFF';
  }

  /** Whether the connection still works after idle time; answers within a short limit. */
  async isAlive(now: number): Promise<boolean> {
    this.limits = { statementMs: DATABASE_LIMITS.lookTimeoutMs };
    try {
      if (now - this.clock.readAt > DATABASE_LIMITS.clockAgeMs) await this.readClock();
      else if (this.isSilentSince(now - DATABASE_LIMITS.idleLookMs)) await this.ping();
      return this.ended === undefined;
    } catch {
      this.destroy();
      return false;
    } finally {
      this.limits = REQUEST;
    }
  }

  /** Whether a Galera node is ready to serve; true for any other server. */
  async isReadyNode(): Promise<boolean> {
    const { rows } = await this.execute(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_connected')",
      [],
    );
    const said = new Map(
      (rows as { Variable_name: string; Value: string }[]).map((row) => [row.Variable_name, row.Value]),
    );
    const { rows: variables } = await this.execute("SHOW GLOBAL VARIABLES LIKE 'wsrep_on'", []);
    const [galera] = variables as { Value: string }[];
    return galera?.Value !== 'ON' || said.get('wsrep_ready') === 'ON';
  }

  /** Closes regularly, or cuts the connection off after a time limit. */
  async close(): Promise<void> {
    if (this.ended !== undefined) return;
    this.dueAt = performance.now() + DATABASE_LIMITS.lookTimeoutMs;
    await new Promise<void>((closed) => {
      this.onEnd(closed);
      this.handle.end(() => this.destroy());
    });
  }

  private ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      const trip: Waiting = { statements: [], resolve: () => resolve(), reject };
      this.asked(trip);
      this.handle.ping((error) => this.answered(trip, error, () => []));
    });
  }

  private send(): void {
    if (this.sent !== undefined) return;
    const trip = this.waiting.shift();
    // After a failure the waiting trips have been rejected already.
    if (trip === undefined) return;
    this.asked(trip);
    const { statements } = trip;
    const [first] = statements;
    if (first !== undefined && statements.length === 1) {
      return this.sendAlone(first, trip);
    }
    const sql = statements.map((each) => each.sql).join(BATCH_SEPARATOR);
    const params: SqlValue[] = [];
    for (const each of statements) for (const value of each.params) params.push(value);
    this.handle.query(sql, params, (error, result) =>
      this.answered(trip, error, () => (result as unknown[]).map(resultOf)),
    );
  }

  private sendAlone({ sql, params }: Statement, trip: Waiting): void {
    const done = (error: Error | null, result: unknown): void => this.answered(trip, error, () => [resultOf(result)]);
    if (!this.isText && isPrepared(sql, params)) this.handle.execute(sql, params as SqlValue[], done);
    else this.handle.query(sql, [...params], done);
  }

  private asked(trip: Waiting): void {
    this.askedAt = performance.now();
    this.dueAt = this.dueOf(this.askedAt);
    this.sent = trip;
    this.piece = roundTrip(trip);
  }

  private answered(trip: Waiting, error: Error | null, results: () => readonly StatementResult[]): void {
    this.lastSeenAt = performance.now();
    this.piece?.end({}, error ?? undefined);
    this.piece = undefined;
    // The connection has ended and has rejected all statements.
    if (this.sent !== trip) return;
    // After a fatal error the driver takes no further statement, but closes its socket only later.
    if (isFatal(error)) return this.end(error);
    this.sent = undefined;
    this.dueAt = Infinity;
    if (error) this.rejectAll(trip, error);
    else trip.resolve(results());
    this.send();
  }

  private rejectAll(trip: Waiting | undefined, error: Error): void {
    const queued = this.waiting;
    this.waiting = [];
    trip?.reject(error);
    for (const waiting of queued) waiting.reject(error);
  }

  private dueOf(now: number): number {
    return Math.min(now + this.limits.statementMs, this.limits.until ?? Infinity);
  }

  private end(why: Error): void {
    if (this.ended !== undefined) return;
    this.ended = why;
    this.dueAt = Infinity;
    this.handle.destroy();
    this.socket.destroy();
    const trip = this.sent;
    this.piece?.end({}, why);
    this.piece = undefined;
    this.sent = undefined;
    this.rejectAll(trip, why);
    for (const listener of this.endListeners) listener();
  }
}

/** One trace span for a whole round trip. */
function roundTrip({ statements, parentSpan }: Waiting): Piece | undefined {
  if (parentSpan === undefined) return undefined;
  const text = statements.map(({ sql }) => sql).join(BATCH_SEPARATOR);
  const attributes = { 'db.system.name': 'mysql', 'db.operation.batch.size': statements.length };
  return tracing.begin('statement', text, attributes, parentSpan);
}

/** The driver marks errors that end the connection as fatal. */
const isFatal = (error: Error | null): error is Error => (error as { fatal?: boolean } | null)?.fatal === true;

const REQUEST: ConnectionLimits = { statementMs: DATABASE_LIMITS.statementTimeoutMs };

/**
 * Limits the wait for table locks; the dialect limits the wait for row locks. The server closes idle sessions, on
 * MariaDB sooner within a write transaction, because nothing else would release their locks. MySQL reads that part as a
 * comment.
 */
const SESSION_BOUNDS =
  `SET SESSION lock_wait_timeout = ${DATABASE_LIMITS.lockWaitTimeoutSeconds}, ` +
  `wait_timeout = ${DATABASE_LIMITS.sessionSilenceSeconds} ` +
  `/*M!100300 , idle_write_transaction_timeout = ${DATABASE_LIMITS.statementTimeoutMs / 1000} */`;

/**
 * Fails with "subquery returns more than one row", which MySQL and MariaDB detect only on execution, after the
 * deadline. A plain assignment, because `DO` swallows the error. UTC, because local time repeats an hour once a year.
 */
const LATE = 'SET @berth_late = CASE WHEN UTC_TIMESTAMP(6) > ? THEN (SELECT 1 UNION SELECT 2) END';

/** How a connection is used. */
interface MysqlSession {
  readonly options: ConnectionOptions;
  readonly isText: boolean;
  readonly setUp: (connection: MysqlConnection) => Promise<unknown>;
  /** Limit of the whole opening. */
  readonly openMs: number;
}

const OWN_SESSION: MysqlSession = {
  options: {
    // Counts and keys stay below 2^53, so they arrive as numbers; larger values would arrive as text.
    bigNumberStrings: false,
    // A batch is one text.
    multipleStatements: true,
  },
  isText: false,
  setUp: (connection) => connection.setUp(),
  openMs: DATABASE_LIMITS.connectTimeoutMs,
};

/** Opens and sets up a connection; fails within the time limit in any case. */
export async function openMysql(
  { socketPath, database, tls }: Pick<MysqlTarget, 'socketPath' | 'database' | 'tls'>,
  address: HostAddress,
  { user, password }: Credentials,
  giveBack: (connection: MysqlConnection) => void,
  session = OWN_SESSION,
): Promise<MysqlConnection> {
  // Loaded here, because a service on SQLite does without it.
  const { createConnection } = await import('mysql2');
  const { host, port } = address;
  const socket =
    socketPath === undefined
      ? connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: DATABASE_LIMITS.keepAliveDelayMs })
      : connect(socketPath);
  const handle = createConnection({
    stream: () => socket,
    host,
    port,
    user,
    password,
    database,
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    // The timeout below also covers the session set-up.
    connectTimeout: 0,
    ...(tls !== undefined && { ssl: { ...tls } }),
    ...session.options,
  });
  const connection = new MysqlConnection(address, handle, socket, giveBack, session.isText);
  const late = setTimeout(() => connection.giveUp(session.openMs), session.openMs);
  try {
    await new Promise<void>((resolve, refuse) => {
      connection.onEnd(() => refuse(connection.endedBy ?? ended('the connection was closed')));
      handle.connect((error) => (error ? refuse(error) : resolve()));
    });
    await session.setUp(connection);
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}
