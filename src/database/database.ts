// The door to the database: reads, consistent reads, and write transactions that retry and log what they changed.
// What goes wrong is thrown, with its cause, to whoever knows for which request it was; nothing is logged from here.
import { DATABASE_LIMITS } from '../config/limits';
import { ConcurrentUpdate, Unavailable } from '../domain/errors';
import { ChangeRecorder, openLane } from './change-log';
import type { Lane } from './change-log';
import type { Connection, ConnectionLimits, ConnectionSource, ConnectionSources, PoolCounts } from './connections';
import { CERTIFICATION } from './dialects';
import type { Dialect, Failure } from './dialects';
import { Gate } from './gate';
import type { GateCounts } from './gate';
import { GroupQueue } from './group-queue';
import type { GroupEntry, GroupRules } from './group-queue';
import { IssuedReads, IssuedSql, IssuedWrite } from './issued-sql';
import type { Executor } from './issued-sql';
import type { SqlReader, Statement, WriteTx, StatementResult } from './sql';
import { outcomeUnknown, unavailable } from './unavailable';

export interface DatabaseSettings {
  readonly dialect: Dialect;
  /** Connections the pool may hold; on SQLite writes always go one at a time. */
  readonly poolSize: number;
  readonly queueLength: number;
  readonly queueWaitMs: number;
  /** How often a unit of work is run in all before the client is told of the conflict. */
  readonly attempts: number;
  readonly backoffMs: number;
  /** A write that takes longer loses its connection. */
  readonly writeTimeoutMs: number;
  /** Names this process in its lanes, for people. */
  readonly processName: string;
}

/** How long the statements of some work may take; those of a request, unless it says otherwise. */
export interface WorkLimits {
  readonly statementMs: number;
  /** All that is read in one state. */
  readonly snapshotMs?: number;
}

interface WriteLimits extends Partial<WorkLimits> {
  /** A write that collides is not begun again from then on, by `performance.now()`. */
  readonly giveUpAt?: number;
}

/** For what loads, verifies or repairs everything. */
export const WHOLE_LOAD: WorkLimits = {
  statementMs: DATABASE_LIMITS.loadTimeoutMs,
  snapshotMs: DATABASE_LIMITS.wholeSnapshotTimeoutMs,
};
const REQUEST: WorkLimits = { statementMs: DATABASE_LIMITS.statementTimeoutMs };

/** What was done since the start, and how full the gates are. */
interface DatabaseCounts {
  readonly commits: number;
  /** Write units that were run again, and those that were given up because they kept colliding. */
  readonly retries: number;
  readonly collisions: number;
  /** By what is let in: on MySQL all share one gate. */
  readonly gates: Readonly<Record<string, GateCounts>>;
  /** Null where there is no pool. */
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
  /** The server is a node of a cluster, where other nodes may abort what it has accepted. */
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
    // One pool serves reads and writes on MySQL, so they share one gate; SQLite reads never wait.
    this.readGate = isSqlite ? new Gate('the database', { inside: Infinity, waiting, waitMs }) : this.writeGate;
    this.snapshotGate = isSqlite
      ? new Gate('the database', { inside: DATABASE_LIMITS.longReads, waiting, waitMs })
      : this.writeGate;
  }

  /** Ids of the lanes this process holds. */
  get laneIds(): readonly number[] {
    return [...this.openLanes];
  }

  /** When a write was last committed, by `performance.now()`. */
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

  /** Runs statements that each stand alone and see what was committed before them. */
  async read<T>(work: (sql: SqlReader) => Promise<T>, limits = REQUEST): Promise<T> {
    return this.readGate.pass(() =>
      this.reading(this.sources.reader, limits, (connection) =>
        lent(connection, (executor) => work(new IssuedReads(executor, this.dialect))),
      ),
    );
  }

  /** The same for what may answer many rows: on SQLite they are read in parts, which `read` does not, at some price. */
  async readMuch<T>(work: (sql: SqlReader) => Promise<T>, limits = REQUEST): Promise<T> {
    return this.snapshotGate.pass(() =>
      this.reading(this.sources.snapshot, boundsOf(limits), (connection) =>
        lent(connection, (executor) => work(new IssuedReads(executor, this.dialect))),
      ),
    );
  }

  /** Runs statements that all see the same committed state. */
  async readSnapshot<T>(work: (sql: SqlReader) => Promise<T>, limits = REQUEST): Promise<T> {
    return this.snapshotGate.pass(() =>
      this.reading(this.sources.snapshot, boundsOf(limits), async (connection) => {
        await connection.begin(this.dialect.beginSnapshot);
        try {
          return await lent(connection, (executor) => work(new IssuedReads(executor, this.dialect)));
        } finally {
          await ended(connection);
        }
      }),
    );
  }

  /**
   * Runs statements that each stand alone, beside everything that waits for its turn: for looking whether the database
   * serves. On SQLite they may only read, for there nothing may be written beside a transaction.
   */
  async aside<T>(work: (sql: Pick<WriteTx, 'query' | 'run' | 'insert'>) => Promise<T>): Promise<T> {
    const limits = { statementMs: DATABASE_LIMITS.probeTimeoutMs };
    return this.reading(this.sources.reader, limits, (connection) =>
      lent(connection, (executor) => work(new IssuedSql(executor, this.dialect))),
    );
  }

  /**
   * Runs one write transaction: all of it is committed, or nothing. Deadlocks, lock waits and vanished lanes are run
   * again from the start with jitter, a bounded number of times within a bounded time (on a node of a cluster bounded by the
   * time alone), then answered as ConcurrentUpdate.
   * Domain errors roll back and pass through. Throws OutcomeUnknown when the database was lost while it committed.
   */
  async write<T>(work: (tx: WriteTx) => Promise<T>, limits: WriteLimits = {}): Promise<T> {
    const { giveUpAt = performance.now() + DATABASE_LIMITS.collidingMs, statementMs = REQUEST.statementMs } = limits;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.writeOnce(work, statementMs);
      } catch (error) {
        await this.pauseBeforeRetry(error, attempt, giveUpAt);
      }
    }
  }

  /** A queue of writes that are done in groups, with the bounds of this database. */
  groups<M>(rules: GroupRules<M>, run: (entries: readonly GroupEntry<M>[]) => Promise<void>): GroupQueue<M> {
    const { groupsInFlight: inFlight, groupMembers: members, groupRows: weight } = DATABASE_LIMITS;
    const { queueLength: waiting, queueWaitMs: waitMs } = this.settings;
    return new GroupQueue({ inFlight, members, weight, waiting, waitMs }, rules, run);
  }

  /** Throws what must not be tried again, and ConcurrentUpdate when the bounds of trying are reached. */
  private async pauseBeforeRetry(error: unknown, attempt: number, giveUpAt: number): Promise<void> {
    if (!(error instanceof StartOver) && this.dialect.classify(error) !== 'retry') throw error;
    // A cluster that recovers from a fault aborts writes that nobody else is concerned with, for longer than attempts last.
    const isSpent = !this.isCertified && attempt >= this.settings.attempts;
    if (isSpent || performance.now() >= giveUpAt) {
      this.counted.collisions += 1;
      throw new ConcurrentUpdate('Another request kept changing the same things, please retry.', { cause: error });
    }
    this.counted.retries += 1;
    const pause = Math.random() * this.settings.backoffMs * Math.min(attempt, BACKOFF_STEPS_MAX);
    await new Promise((resume) => setTimeout(resume, pause));
  }

  private async writeOnce<T>(work: (tx: WriteTx) => Promise<T>, statementMs: number): Promise<T> {
    await this.writeGate.enter();
    // No write outlives its time: readers of the change log rely on it.
    const until = performance.now() + this.settings.writeTimeoutMs;
    let connection: Connection | undefined;
    try {
      connection = await this.sources.writer.acquire();
      connection.limit({ statementMs, until });
      this.isCertified = connection.control === CERTIFICATION.control;
      return await this.transaction(connection, until, work);
    } catch (error) {
      throw this.failureOf(this.sources.writer, connection, error);
    } finally {
      connection?.release();
      this.writeGate.leave();
    }
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

  /** Nothing of the unit stays; answers what to tell, which may be that this cannot be known. */
  private async undone(connection: Connection, unit: WriteUnit, error: unknown): Promise<unknown> {
    const loss = unit.lossOf(error);
    unit.end();
    switch (this.dialect.classify(loss)) {
      case 'connection':
        connection.destroy();
        return unit.mayBeCommitted ? outcomeUnknown(loss) : loss;
      case 'late':
        // Something held it up, or the database's clock was set: what the connection knows of that is of no use.
        connection.destroy();
        return new StartOver('the write reached the database too late');
      default:
        await rollBack(connection);
        return error;
    }
  }

  /**
   * What was left for the end, the change log, the commit. A log row that its lane no longer covers (trimmed while we
   * slept) makes the whole unit start over in a new lane.
   */
  private async concluded(connection: Connection, unit: WriteUnit, lane: Lane): Promise<void> {
    try {
      await unit.conclude(lane);
    } catch (error) {
      if (this.dialect.classify(error) !== 'foreign-key') throw error;
      this.lanes.delete(connection.identity);
      this.openLanes.delete(lane.id);
      throw new StartOver('the lane is gone');
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

  /** A lock that somebody else holds on whole tables keeps readers out too. */
  private async reading<T>(
    source: ConnectionSource,
    limits: ConnectionLimits,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.connected(source, limits, work);
    } catch (error) {
      if (this.dialect.classify(error) !== 'retry') throw error;
      throw new Unavailable('The database is locked by somebody else.', { cause: error });
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

  /** What a failure on a connection, or to get one, means to the caller. */
  private failureOf(source: ConnectionSource, connection: Connection | undefined, error: unknown): unknown {
    if (connection !== undefined && this.dialect.classify(error) === 'refused') source.distrust(connection);
    return unavailable(this.dialect, error);
  }
}

/** Ends what only read. A connection that cannot do that is of no use to anybody; the first error is what matters. */
async function ended(connection: Connection): Promise<void> {
  try {
    await connection.execute('COMMIT', []);
  } catch {
    connection.destroy();
  }
}

/** The pause before an attempt grows with this many of those before it. */
const BACKOFF_STEPS_MAX = 8;

/** Twice, for the first may be answered with the abort of the transaction instead of being run. */
const ROLL_BACK_ATTEMPTS = 2;

/** Undoes what is not committed. A connection on which that cannot be done is not used again. */
async function rollBack(connection: Connection): Promise<void> {
  for (let attempt = 1; attempt <= ROLL_BACK_ATTEMPTS; attempt += 1) {
    try {
      await connection.batch(connection.control.rollBack.map((sql) => ({ sql, params: [] })));
      return;
    } catch {
      // The first error is the one that matters.
    }
  }
  connection.destroy();
}

/** One transaction on one connection: its statements, what it leaves for the end, what it changes of the graph. */
class WriteUnit {
  private readonly changes = new ChangeRecorder();
  private readonly last: Iterable<Statement>[] = [];
  /** Why the transaction is gone; whatever is sent after that would stand alone. */
  private lost: Error | undefined;
  private isOver = false;
  private isCommitting = false;

  constructor(
    private readonly connection: Connection,
    private readonly dialect: Dialect,
    /** When its time is over, by `performance.now()`. */
    private readonly until: number,
  ) {}

  /** The commit was sent. */
  get mayBeCommitted(): boolean {
    return this.isCommitting;
  }

  /**
   * It is committed, or about to be undone. Work that failed in one of its branches may still be on its way in another:
   * what that issues would stand alone, or be part of the next transaction.
   */
  end(): void {
    this.isOver = true;
  }

  /** Why the transaction is gone, whatever its work made of that. */
  lossOf(error: unknown): unknown {
    return this.lost ?? error;
  }

  /** Its statements, as the work gets them. */
  issued(finish: WriteTx['finish']): WriteTx {
    return new IssuedWrite(this.statements(), this.dialect, this.changes, this.last, finish);
  }

  throwIfLost(): void {
    if (this.lost !== undefined) throw this.lost;
  }

  /**
   * In a batch all of it is one round trip, unless there is much of it. The server runs nothing behind a statement that
   * failed, and what comes after it is not sent.
   */
  async conclude(lane: Lane): Promise<void> {
    if (!this.changes.isEmpty) this.last.push(this.changes.statements(lane, this.dialect.nowSeconds));
    const left = await this.sendMost();
    if (performance.now() > this.until) throw new Unavailable('The write took too long and was not carried out.');
    const deadline = this.connection.deadline();
    const commit = this.connection.control.commit.map((sql): Statement => ({ sql, params: [] }));
    this.isCommitting = true;
    try {
      await this.send([...left, ...(deadline === undefined ? [] : [deadline]), ...commit]);
    } catch (error) {
      // Whoever says why has not committed.
      if (this.dialect.classify(error) !== 'connection') this.isCommitting = false;
      throw error;
    }
  }

  /** Sends what was left for the end, a batch at a time, but for the last, which is answered. */
  private async sendMost(): Promise<readonly Statement[]> {
    let batch: Statement[] = [];
    let values = 0;
    for (const statements of this.last) {
      for (const statement of statements) {
        values += statement.params.length;
        if (values > DATABASE_LIMITS.parametersPerBatch && batch.length > 0) {
          await this.send(batch);
          [batch, values] = [[], statement.params.length];
        }
        batch.push(statement);
      }
    }
    return batch;
  }

  private send(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    return this.guarded(() => this.connection.batch(statements));
  }

  private statements(): Executor {
    const { connection } = this;
    const execute: Executor['execute'] = (sql, params) => this.guarded(() => connection.execute(sql, params));
    const batch: Executor['batch'] = (statements) => this.send(statements);
    if (connection.each === undefined) return { execute, batch };
    return { execute, batch, each: (sql, params, take) => this.guarded(() => connection.each?.(sql, params, take)) };
  }

  private async guarded<T>(statement: () => T): Promise<Awaited<T>> {
    if (this.lost !== undefined) throw this.lost;
    if (this.isOver) throw tooLate();
    try {
      return await statement();
    } catch (error) {
      const failure = this.dialect.classify(error);
      if (ENDS_TRANSACTION.has(failure)) this.lost ??= error as Error;
      throw error;
    }
  }
}

const ENDS_TRANSACTION: ReadonlySet<Failure> = new Set(['retry', 'connection', 'refused', 'denied', 'late']);

/** Thrown inside a write: what it read has changed under it, so the whole unit is run again, like after a deadlock. */
export class StartOver extends Error {
  override readonly name = 'StartOver';
}

const tooLate = (): Error => new Error('What this statement belongs to is over.');

/** Lets work read until it ends; a branch of it that goes on behind a failure has no connection any more. */
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

/** A state that is read keeps what was replaced since, in either database, so it is not read for ever. */
function boundsOf({ statementMs, snapshotMs = DATABASE_LIMITS.snapshotTimeoutMs }: WorkLimits): ConnectionLimits {
  return { statementMs, until: performance.now() + snapshotMs };
}
