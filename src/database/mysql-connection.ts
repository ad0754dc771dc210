// One connection to MySQL, with a limit on everything it does. The driver has none of its own, and only half-closes what
// it destroys, so the socket is ours: a connection that is cut off is gone at once, and all that waits for it is told.
import { AsyncResource } from 'node:async_hooks';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { createConnection } from 'mysql2';
import type { Connection as Handle, ResultSetHeader } from 'mysql2';
import { DATABASE_LIMITS } from '../config/limits';
import { BATCH_SEPARATOR, NO_ROWS } from './connections';
import type { Connection, ConnectionLimits } from './connections';
import { CERTIFICATION, MYSQL } from './dialects';
import type { TransactionControl } from './dialects';
import type { Credentials, HostAddress, MysqlTarget } from './data-source';
import type { SqlParams, SqlValue, Statement, StatementResult } from './sql';
import { inParts } from './row-parts';
import { tracing } from '../tracing/tracing';
import type { Piece } from '../tracing/tracing';
import { turns } from '../turns/turns';

/** Why a connection was cut off, in the words of an error of the driver. */
class CutOff extends Error {
  constructor(
    message: string,
    readonly code: 'ETIMEDOUT' | 'PROTOCOL_CONNECTION_LOST',
  ) {
    super(message);
  }
}

const ended = (message: string): CutOff => new CutOff(message, 'PROTOCOL_CONNECTION_LOST');

/** Takes rows as they arrive; they are not part of the result then. */
interface Taker {
  readonly take: (row: unknown) => void;
  /** Where the statement was issued: it is sent on its own, often in the turn of whoever was answered before it. */
  readonly scope: AsyncResource;
}

/** One round trip. */
interface Waiting {
  readonly statements: readonly Statement[];
  readonly resolve: (results: readonly StatementResult[]) => void;
  readonly reject: (error: unknown) => void;
  readonly taker?: Taker | undefined;
  /** What was under way when it was issued, for whoever watches. */
  readonly under?: object | undefined;
}

/**
 * A batch is one round trip. The server runs its statements in order and stops at the first that fails; then the whole
 * batch fails, because what ran before is rolled back. So does what was issued meanwhile: sent behind a transaction that
 * is gone, it would stand alone.
 */
export class MysqlConnection implements Connection {
  readonly identity: object;
  /** The session may not change anything here, as far as the server said when it began. */
  isReadOnly = false;
  control: TransactionControl = MYSQL.control;
  /** Where the socket is not the driver's stream nothing can be held back: the rows come all at once. */
  readonly each: Connection['each'];
  private waiting: Waiting[] = [];
  /** Statements that travel with the next one. */
  private first: readonly Statement[] = [];
  /** Sent, not answered yet. */
  private sent: Waiting | undefined;
  /** The round trip that is under way, for whoever watches. */
  private piece: Piece | undefined;
  private readonly endListeners: (() => void)[] = [];
  private ended: Error | undefined;
  private limits: ConnectionLimits = REQUEST;
  /** When the answer must be there, by `performance.now()`; Infinity while nothing is asked. */
  private dueAt = Infinity;
  private askedAt = 0;
  private lastSeenAt = performance.now();
  /** The database's clock less ours, in milliseconds; never too much, for the answer was on its way meanwhile. */
  private clock = { offsetMs: 0, readAt: -Infinity };

  constructor(
    readonly host: HostAddress,
    private readonly handle: Handle,
    private readonly socket: Socket,
    private readonly giveBack: (connection: MysqlConnection) => void,
    isEncrypted = false,
  ) {
    this.identity = handle;
    if (!isEncrypted) this.each = (sql, params, take) => this.issueForRows({ sql, params }, take);
    handle.on('error', (error: Error) => this.end(error));
    handle.on('end', () => this.end(ended('the server ended the connection')));
    socket.on('close', () => this.end(ended('the connection was closed')));
  }

  /** Why it has ended; undefined while it has not. */
  get endedBy(): Error | undefined {
    return this.ended;
  }

  /** Nothing was heard of it since then, by `performance.now()`. */
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

  /** Cuts the connection off when its answer is overdue; tells since when it was asked then. */
  sweep(now: number): number | undefined {
    if (now <= this.dueAt) return undefined;
    this.giveUp();
    return this.askedAt;
  }

  giveUp(): void {
    this.end(new CutOff('the database did not answer in time', 'ETIMEDOUT'));
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

  private async issueForRows(statement: Statement, take: (row: unknown) => void): Promise<void> {
    const { first } = this;
    this.first = [];
    // Where it fails the statement behind it fails with it.
    if (first.length > 0) this.issue(first).catch(() => undefined);
    await this.issue([statement], { take, scope: new AsyncResource('statement') });
  }

  private issue(statements: readonly Statement[], taker?: Taker): Promise<readonly StatementResult[]> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(this.ended);
      this.waiting.push({ statements, resolve, reject, taker, under: tracing.here() });
      this.send();
    });
  }

  /** Everything of ours has its end in the time of the database: what was held up on its way is refused there. */
  deadline(): Statement {
    const at = new Date(this.dueOf(performance.now()) + this.clock.offsetMs).toISOString();
    return { sql: LATE, params: [at.slice(0, -1).replace('T', ' ')] };
  }

  /** Makes the session fit for use. */
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

  /** Whether it is still there, after a silence; answers soon. */
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

  /** Whether a node of a Galera cluster may serve; true of any other server. */
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

  /** Ends in order, or after a while. */
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
    // What failed or ended meanwhile has told them.
    if (trip === undefined) return;
    this.asked(trip);
    const { statements, taker } = trip;
    const [first] = statements;
    if (first !== undefined && statements.length === 1) {
      if (taker === undefined) this.sendAlone(first, trip);
      else taker.scope.runInAsyncScope(() => this.sendForRows(first, taker, trip));
      return;
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
    if (isPrepared(sql, params)) this.handle.execute(sql, params as SqlValue[], done);
    else this.handle.query(sql, [...params], done);
  }

  /**
   * Of a result of a hundred thousand rows no more is here at a time than one read of the socket: the rest waits at the
   * database until that is taken, in turns with everybody else's work. Otherwise all of them would live until the last
   * one is there, and each collection of garbage would copy them.
   */
  private sendForRows({ sql, params }: Statement, { take, scope }: Taker, trip: Waiting): void {
    let here: unknown[] = [];
    let isWhole = false;
    let taken = Promise.resolve();
    let failed: { readonly error: unknown } | undefined;
    const takeThese = async (): Promise<void> => {
      const rows = here;
      here = [];
      if (failed === undefined && this.sent === trip) await inParts(rows, take);
    };
    const fail = (error: unknown): void => void (failed ??= { error });
    const takeWhileOthersWait = async (): Promise<void> => {
      const pausedAt = performance.now();
      this.socket.pause();
      await turns.giveWay();
      await takeThese().catch(fail);
      // The database does not owe what it was not let send.
      this.dueAt = Math.min(this.dueAt + performance.now() - pausedAt, this.limits.until ?? Infinity);
      this.socket.resume();
    };
    const arrived = (row: unknown): void => {
      if (here.push(row) > 1) return;
      // Behind what this read of the socket brought: mostly that is the whole result.
      process.nextTick(() => {
        if (!isWhole) taken = takeWhileOthersWait();
      });
    };
    let refused: Error | null = null;
    const done = (): void => {
      // The rows were handed over.
      if (refused !== null || failed === undefined) return this.answered(trip, refused, () => []);
      trip.reject(failed.error);
      this.answered(trip, null, () => []);
    };
    const asked = isPrepared(sql, params)
      ? this.handle.execute(sql, params as SqlValue[])
      : this.handle.query(sql, [...params]);
    asked
      .on('result', arrived)
      .on('error', (error: Error) => (refused = error))
      // The driver's events come in the context of the socket; whatever is sent next is sent for whoever waits here.
      .on('end', () => {
        isWhole = true;
        void taken
          .then(takeThese)
          .catch(fail)
          .then(() => scope.runInAsyncScope(done));
      });
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
    // It has ended, and told all.
    if (this.sent !== trip) return;
    // The driver takes no further statement then; its socket is closed only after others had their turn.
    if (isFatal(error)) return this.end(error);
    this.sent = undefined;
    this.dueAt = Infinity;
    if (error) this.rejectAll(trip, error);
    else trip.resolve(results());
    this.send();
  }

  private rejectAll(trip: Waiting | undefined, error: Error): void {
    const behind = this.waiting;
    this.waiting = [];
    trip?.reject(error);
    for (const waiting of behind) waiting.reject(error);
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

/** One piece for all that travels together. */
function roundTrip({ statements, under }: Waiting): Piece | undefined {
  if (under === undefined) return undefined;
  const text = statements.map(({ sql }) => sql).join(BATCH_SEPARATOR);
  const attributes = { 'db.system.name': 'mysql', 'db.operation.batch.size': statements.length };
  return tracing.begin('statement', text, attributes, under);
}

/** As the driver marks what it does not survive. */
const isFatal = (error: Error | null): error is Error => (error as { fatal?: boolean } | null)?.fatal === true;

const REQUEST: ConnectionLimits = { statementMs: DATABASE_LIMITS.statementTimeoutMs };

/**
 * Beyond the wait for rows, which the dialect bounds: the wait for tables. Whoever falls silent is ended by the server,
 * sooner in the middle of a write where it knows how to (MySQL reads that as a comment), for nobody else can take its locks.
 */
const SESSION_BOUNDS =
  `SET SESSION lock_wait_timeout = ${DATABASE_LIMITS.lockWaitTimeoutSeconds}, ` +
  `wait_timeout = ${DATABASE_LIMITS.sessionSilenceSeconds} ` +
  `/*M!100300 , idle_write_transaction_timeout = ${DATABASE_LIMITS.statementTimeoutMs / 1000} */`;

/**
 * The statements as they travel: the driver writes their values into one text, while nothing else runs, so a batch of very
 * many values takes several round trips, and a statement with a long text is alone.
 */
function roundTripsOf(statements: readonly Statement[]): readonly (readonly Statement[])[] {
  const trips: Statement[][] = [];
  let values = Infinity;
  for (const statement of statements) {
    const isAlone = statement.params.some(isLongText);
    values += statement.params.length;
    if (isAlone || values > DATABASE_LIMITS.parametersPerBatch) {
      trips.push([]);
      values = statement.params.length;
    }
    trips.at(-1)?.push(statement);
    if (isAlone) values = Infinity;
  }
  return trips;
}

/** A prepared statement takes a text as it is; in the text of a statement the driver escapes it, character by character. */
function isLongText(param: SqlValue): boolean {
  return typeof param === 'string' && param.length > DATABASE_LIMITS.longTextCharacters;
}

/**
 * Too many rows for a subquery, which MySQL and MariaDB find out only when they get there: when the time is over. A plain
 * assignment, because `DO` swallows the error. UTC, because a time zone has an hour twice a year.
 */
const LATE = 'SET @berth_late = CASE WHEN UTC_TIMESTAMP(6) > ? THEN (SELECT 1 UNION SELECT 2) END';

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

const isPrepared = (sql: string, params: SqlParams): boolean => isPlainQuestion(sql, params) || params.some(isLongText);

const NOTHING_DONE: StatementResult = { rows: NO_ROWS, affected: 0, insertId: 0 };

function resultOf(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result, affected: 0, insertId: 0 };
  const { affectedRows: affected, insertId } = result as ResultSetHeader;
  return { rows: NO_ROWS, affected, insertId };
}

/** Opens a connection that is fit for use, or fails within the limit, whatever the other side does. */
export async function openMysql(
  target: MysqlTarget,
  address: HostAddress,
  { user, password }: Credentials,
  giveBack: (connection: MysqlConnection) => void,
  withinMs: number = DATABASE_LIMITS.connectTimeoutMs,
): Promise<MysqlConnection> {
  const { host, port } = address;
  const socket =
    target.socketPath === undefined
      ? connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: DATABASE_LIMITS.keepAliveDelayMs })
      : connect(target.socketPath);
  const handle = createConnection({
    stream: () => socket,
    host,
    port,
    user,
    password,
    database: target.database,
    charset: 'utf8mb4',
    timezone: 'Z',
    // Counts and keys stay below 2^53, so they arrive as numbers; anything larger would arrive as text.
    supportBigNumbers: true,
    bigNumberStrings: false,
    // Batches are one text.
    multipleStatements: true,
    // Ours covers the session's set-up as well.
    connectTimeout: 0,
    ...(target.tls !== undefined && { ssl: { ...target.tls } }),
  });
  const connection = new MysqlConnection(address, handle, socket, giveBack, target.tls !== undefined);
  const late = setTimeout(() => connection.giveUp(), withinMs);
  try {
    await new Promise<void>((resolve, refuse) => {
      connection.onEnd(() => refuse(connection.endedBy ?? ended('the connection was closed')));
      handle.connect((error) => (error ? refuse(error) : resolve()));
    });
    await connection.setUp();
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}
