// Access to the database: reads, consistent reads, and write transactions with retries and a change log. Failures are
// thrown with their cause to the caller, who knows the request; this file logs nothing.
import { DATABASE_LIMITS } from '../config/limits/database';
import type { DomainError } from '../values/errors';
import { ClusterAborts, ConcurrentUpdate, Unavailable } from '../values/errors';
import type { Lane } from './change-log';
import { openLane } from './change-log';
import type { Connection, ConnectionLimits, ConnectionSource, ConnectionSources, PoolCounts } from './connections';
import type { Dialect } from './dialects';
import { CERTIFICATION } from './dialects';
import type { GateCounts } from './gate';
import { Gate } from './gate';
import type { GroupEntry, GroupRules } from './group-queue';
import { GroupQueue } from './group-queue';
import type { Executor } from './issued-sql';
import { IssuedReads, IssuedSql } from './issued-sql';
import type { SqlReader, WriteTx } from './sql';
import { outcomeUnknown, unavailable } from './unavailable';
import { tooLate, WriteUnit } from './write-unit';

export interface DatabaseSettings {
  readonly dialect: Dialect;
  /** Maximum connections of the pool; on SQLite writes always run one at a time. */
  readonly poolSize: number;
  readonly queueLength: number;
  readonly queueWaitMs: number;
  /** Maximum runs of a unit of work; after the last one the client gets the conflict. */
  readonly attempts: number;
  readonly backoffMs: number;
  /** A longer write loses its connection. */
  readonly writeTimeoutMs: number;
  /** Name of this process in its lanes, for operators. */
  readonly processName: string;
}

/** Time limits of statements; by default those of a request. */
export interface WorkLimits {
  readonly statementMs: number;
  /** Limit of all reads of one snapshot. */
  readonly snapshotMs?: number;
}

interface WriteLimits extends Partial<WorkLimits> {
  /** Start of the time in which a conflicting write is retried, by `performance.now()`: that of its request. */
  readonly since?: number;
}

/** For work that loads, verifies or repairs all data. */
export const WHOLE_LOAD: WorkLimits = {
  statementMs: DATABASE_LIMITS.loadTimeoutMs,
  snapshotMs: DATABASE_LIMITS.wholeSnapshotTimeoutMs,
};
const REQUEST: WorkLimits = { statementMs: DATABASE_LIMITS.statementTimeoutMs };

/** Counters since the start, and the current occupancy of the gates. */
interface DatabaseCounts {
  readonly commits: number;
  /** Write units that were retried, and those that were given up after repeated conflicts. */
  readonly retries: number;
  readonly collisions: number;
  /** By kind of work; on MySQL all kinds share one gate. */
  readonly gates: Readonly<Record<string, GateCounts>>;
  /** Null if there is no pool. */
  readonly pool: PoolCounts | null;
}

export interface DatabaseLog {
  warn(fields: object, message: string): void;
}

export class Database {
  readonly dialect: Dialect;
  private readonly writeGate: Gate;
  private readonly readGate: Gate;
  private readonly snapshotGate: Gate;
  private readonly lanes = new WeakMap<object, Lane>();
  private readonly openLanes = new Set<number>();
  private committedAt = -Infinity;
  /** The server is a node of a Galera cluster, where other nodes can abort transactions that it has accepted. */
  private isCertified = false;
  private readonly counted = { commits: 0, retries: 0, collisions: 0 };

  constructor(
    private readonly sources: ConnectionSources,
    private readonly settings: DatabaseSettings,
  ) {
    this.dialect = settings.dialect;
    const { queueLength: waiting, queueWaitMs: waitMs } = settings;
    const isSqlite = this.dialect.name === 'sqlite';
    this.writeGate = new Gate('the database', { inside: isSqlite ? 1 : settings.poolSize, waiting, waitMs });
    // On MySQL one pool serves reads and writes, so they share one gate; SQLite reads never wait.
    this.readGate = isSqlite ? new Gate('the database', { inside: Infinity, waiting, waitMs }) : this.writeGate;
    this.snapshotGate = isSqlite
      ? new Gate('the database', { inside: DATABASE_LIMITS.longReads, waiting, waitMs })
      : this.writeGate;
  }

  /** Ids of the lanes of this process. */
  get laneIds(): readonly number[] {
    return [...this.openLanes];
  }

  /** Time of the last commit, by `performance.now()`. */
  get lastCommitAt(): number {
    return this.committedAt;
  }

  get counts(): DatabaseCounts {
    const { writeGate, readGate, snapshotGate } = this;
    const gates =
      writeGate === readGate ? { all: writeGate } : { write: writeGate, read: readGate, long_read: snapshotGate };
    return {
      ...this.counted,
      gates: Object.fromEntries(Object.entries(gates).map(([name, gate]) => [name, gate.counts])),
      pool: this.sources.writer.counts ?? null,
    };
  }

  /** Runs independent statements; each sees what was committed before it. */
  async read<T>(work: (sql: SqlReader) => Promise<T>, limits = REQUEST): Promise<T> {
    return this.readGate.pass(() => this.reading(this.sources.reader, limits, this.lending(work)));
  }

  /** Like `read`, for results with many rows: SQLite reads them in parts, at some cost. */
  async readMuch<T>(work: (sql: SqlReader) => Promise<T>, limits = REQUEST): Promise<T> {
    return this.snapshotGate.pass(() => this.reading(this.sources.snapshot, boundsOf(limits), this.lending(work)));
  }

  /** Runs statements that all see the same committed state. */
  async readSnapshot<T>(work: (sql: SqlReader) => Promise<T>, limits = REQUEST): Promise<T> {
    return this.snapshotGate.pass(() =>
      this.reading(this.sources.snapshot, boundsOf(limits), async (connection) => {
        await connection.begin(this.dialect.beginSnapshot);
        try {
          return await this.lending(work)(connection);
        } finally {
          await ended(connection);
        }
      }),
    );
  }

  /**
   * Runs independent statements past the queues, for health probes. On SQLite they must only read, because SQLite
   * cannot write during another transaction.
   */
  async aside<T>(work: (sql: Pick<WriteTx, 'query' | 'run' | 'insert'>) => Promise<T>): Promise<T> {
    const limits = { statementMs: DATABASE_LIMITS.probeTimeoutMs };
    return this.reading(this.sources.reader, limits, (connection) =>
      lent(connection, (executor) => work(new IssuedSql(executor, this.dialect))),
    );
  }

  /**
   * Runs one write transaction: it is committed as a whole or not at all. Deadlocks, lock waits and vanished lanes
   * restart it with jitter, a limited number of times within a time limit; then it throws ConcurrentUpdate. On a cluster
   * node only the time is limited, and the error is Unavailable. Domain errors roll back and pass through. Throws
   * OutcomeUnknown if the connection was lost during the commit.
   */
  async write<T>(work: (tx: WriteTx) => Promise<T>, limits: WriteLimits = {}): Promise<T> {
    const { since = performance.now(), statementMs = REQUEST.statementMs } = limits;
    const [giveUpAt, certifiedUntil] = [retriedUntil(since), retriedUntil(since, DATABASE_LIMITS.certifiedMs)];
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.writeOnce(work, statementMs);
      } catch (error) {
        await this.pauseBeforeRetry(error, attempt, this.isCertified ? certifiedUntil : giveUpAt);
      }
    }
  }

  /** A queue that runs writes in groups, with the limits of this database. */
  groups<M>(rules: GroupRules<M>, run: (entries: readonly GroupEntry<M>[]) => Promise<void>): GroupQueue<M> {
    const { groupsInFlight: inFlight, groupMembers: members, groupRows: weight } = DATABASE_LIMITS;
    const { queueLength: waiting, queueWaitMs: waitMs } = this.settings;
    return new GroupQueue({ inFlight, members, weight, waiting, waitMs }, rules, run);
  }

  /** Throws errors that must not be retried, and the error of a write that was given up. */
  private async pauseBeforeRetry(error: unknown, attempt: number, giveUpAt: number): Promise<void> {
    if (!(error instanceof StartOver) && this.dialect.classify(error) !== 'retry') throw error;
    const isSpent = !this.isCertified && attempt >= this.settings.attempts;
    if (isSpent || performance.now() >= giveUpAt) {
      this.counted.collisions += 1;
      throw givenUp(this.isCertified, attempt, error);
    }
    this.counted.retries += 1;
    const pause = Math.random() * this.settings.backoffMs * Math.min(attempt, BACKOFF_STEPS_MAX);
    await new Promise((resume) => setTimeout(resume, pause));
  }

  private writeOnce<T>(work: (tx: WriteTx) => Promise<T>, statementMs: number): Promise<T> {
    return this.writeGate.pass(() => {
      // No write outlives its time limit; readers of the change log rely on that.
      const until = performance.now() + this.settings.writeTimeoutMs;
      return this.connected(this.sources.writer, { statementMs, until }, (connection) => {
        this.isCertified = connection.control === CERTIFICATION.control;
        return this.transaction(connection, until, work);
      });
    });
  }

  private async transaction<T>(connection: Connection, until: number, work: (tx: WriteTx) => Promise<T>): Promise<T> {
    const lane = await this.laneOf(connection);
    const unit = new WriteUnit(connection, this.dialect, until);
    let isFinished = false;
    const finish = async (): Promise<void> => {
      await this.concluded(connection, unit, lane);
      unit.end();
      this.committedAt = performance.now();
      this.counted.commits += 1;
      isFinished = true;
    };
    try {
      await connection.begin(connection.control.begin);
      const result = await work(unit.issued(finish));
      unit.throwIfLost();
      if (!isFinished) await finish();
      return result;
    } catch (error) {
      throw await this.undone(connection, unit, error);
    }
  }

  /** Rolls back the unit. Returns the error for the caller, which can be that the outcome is unknown. */
  private async undone(connection: Connection, unit: WriteUnit, error: unknown): Promise<unknown> {
    const loss = unit.lossOf(error);
    unit.end();
    switch (this.dialect.classify(loss)) {
      case 'connection':
        connection.destroy();
        return unit.mayBeCommitted ? outcomeUnknown(loss) : loss;
      case 'late':
        // The statement was delayed or the database's clock was set, so the connection's clock offset is invalid.
        connection.destroy();
        return new StartOver('the write reached the database too late');
      default:
        await rollBack(connection);
        return error;
    }
  }

  /**
   * Sends the final statements, the change log and the commit. If the log row violates its foreign key, the lane was
   * trimmed while this process slept; then the whole unit restarts in a new lane.
   */
  private async concluded(connection: Connection, unit: WriteUnit, lane: Lane): Promise<void> {
    try {
      await unit.conclude(lane);
    } catch (error) {
      if (this.dialect.classify(error) !== 'foreign-key') throw error;
      this.lanes.delete(connection.identity);
      this.openLanes.delete(lane.id);
      throw new StartOver('the lane was deleted');
    }
  }

  private async laneOf(connection: Connection): Promise<Lane> {
    const known = this.lanes.get(connection.identity);
    if (known !== undefined) return known;
    const lane = await openLane(new IssuedSql(connection, this.dialect), this.settings.processName);
    this.lanes.set(connection.identity, lane);
    this.openLanes.add(lane.id);
    connection.onEnd(() => this.openLanes.delete(lane.id));
    return lane;
  }

  private readonly lending =
    <T>(work: (sql: SqlReader) => Promise<T>) =>
    (connection: Connection): Promise<T> =>
      lent(connection, (executor) => work(new IssuedReads(executor, this.dialect)));

  /** A lock on whole tables by another session also blocks readers. */
  private async reading<T>(
    source: ConnectionSource,
    limits: ConnectionLimits,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.connected(source, limits, work);
    } catch (error) {
      if (this.dialect.classify(error) !== 'retry') throw error;
      throw new Unavailable('The database is locked by another process.', { cause: error });
    }
  }

  private async connected<T>(
    source: ConnectionSource,
    limits: ConnectionLimits,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    let connection: Connection | undefined;
    try {
      connection = await source.acquire();
      connection.limit(limits);
      return await work(connection);
    } catch (error) {
      throw this.failureOf(source, connection, error);
    } finally {
      connection?.release();
    }
  }

  /** Translates a failure on a connection, or to get one, for the caller. */
  private failureOf(source: ConnectionSource, connection: Connection | undefined, error: unknown): unknown {
    if (connection !== undefined && this.dialect.classify(error) === 'refused') source.distrust(connection);
    return unavailable(this.dialect, error);
  }
}

/** Ends a read transaction. If that fails, the connection is unusable; the first error is the one that matters. */
async function ended(connection: Connection): Promise<void> {
  try {
    await connection.execute('COMMIT', []);
  } catch {
    connection.destroy();
  }
}

/** A request that has waited long in a queue still gets a short time from now. */
export const retriedUntil = (since: number, ms: number = DATABASE_LIMITS.collidingMs): number =>
  Math.max(since + ms, performance.now() + DATABASE_LIMITS.collidingAfterQueueMs);

/** A cluster that recovers from a fault also aborts writes that conflict with no other write. */
const givenUp = (isCertified: boolean, attempts: number, cause: unknown): DomainError =>
  isCertified
    ? new ClusterAborts(attempts, { cause })
    : new ConcurrentUpdate(
        `Concurrent writes of the same rows: gave up after ${attempts} attempts. Retry the request.`,
        { cause },
      );

/** The pause before a retry grows with the number of attempts, up to this many. */
const BACKOFF_STEPS_MAX = 8;

/** Two attempts: the server can answer the first with the abort of the transaction instead of running it. */
const ROLL_BACK_ATTEMPTS = 2;

/** Rolls back. A connection on which that fails is not used again. */
async function rollBack(connection: Connection): Promise<void> {
  for (let attempt = 1; attempt <= ROLL_BACK_ATTEMPTS; attempt += 1) {
    try {
      await connection.batch(connection.control.rollBack.map((sql) => ({ sql, params: [] })));
      return;
    } catch {
      // The original error is the one that matters.
    }
  }
  connection.destroy();
}

/** Thrown inside a write whose input has changed; the whole unit is run again, as after a deadlock. */
export class StartOver extends Error {
  override readonly name = 'StartOver';
}

/** Lends a connection for reads until the work ends; a branch that continues after a failure is refused. */
async function lent<T>(connection: Connection, work: (executor: Executor) => Promise<T>): Promise<T> {
  let isOver = false;
  const whileLent = <R>(statement: () => Promise<R>): Promise<R> => (isOver ? Promise.reject(tooLate()) : statement());
  const { each } = connection;
  try {
    return await work({
      execute: (sql, params) => whileLent(() => connection.execute(sql, params)),
      batch: (statements) => whileLent(() => connection.batch(statements)),
      each: each === undefined ? undefined : (sql, params, take) => whileLent(() => each(sql, params, take)),
    });
  } finally {
    isOver = true;
  }
}

/** Snapshots have a time limit: while one is open, both databases keep all replaced row versions. */
function boundsOf({ statementMs, snapshotMs = DATABASE_LIMITS.snapshotTimeoutMs }: WorkLimits): ConnectionLimits {
  return { statementMs, until: performance.now() + snapshotMs };
}
