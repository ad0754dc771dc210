// The door to the database: reads, consistent reads, and write transactions that retry and log what they changed.
// What goes wrong is thrown, with its cause, to whoever knows for which request it was; nothing is logged from here.
import type { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits';
import { ConcurrentUpdate, Unavailable } from '../errors/domain-errors';
import { ChangeRecorder, openLane } from './change-log';
import type { Lane } from './change-log';
import { acquire } from './connections';
import type { Connection, StatementResult } from './connections';
import type { Dialect, TransactionControl } from './dialects';
import { Gate } from './gate';
import { GroupQueue } from './group-queue';
import type { GroupEntry, GroupRules } from './group-queue';
import type { SqlParams, SqlReader, Statement, WriteTx } from './sql';

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

export interface DatabaseSources {
  readonly writer: DataSource;
  readonly reader: DataSource;
  readonly snapshot: DataSource;
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
  /** Of the connections whose session is set up. */
  private readonly controls = new WeakMap<object, TransactionControl>();
  private readonly openLanes = new Set<number>();

  constructor(
    private readonly sources: DatabaseSources,
    private readonly settings: DatabaseSettings,
  ) {
    this.dialect = settings.dialect;
    const { queueLength: waiting, queueWaitMs: waitMs } = settings;
    const isSqlite = this.dialect.name === 'sqlite';
    this.writeGate = new Gate('the database', { inside: isSqlite ? 1 : settings.poolSize, waiting, waitMs });
    // One pool serves reads and writes on MySQL, so they share one gate; SQLite reads never wait.
    this.readGate = isSqlite ? new Gate('the database', { inside: Infinity, waiting, waitMs }) : this.writeGate;
    this.snapshotGate = isSqlite ? new Gate('the database', { inside: 1, waiting, waitMs }) : this.writeGate;
  }

  /** Ids of the lanes this process holds. */
  get laneIds(): readonly number[] {
    return [...this.openLanes];
  }

  /** Runs statements that each stand alone and see what was committed before them. */
  async read<T>(work: (sql: SqlReader) => Promise<T>): Promise<T> {
    return this.readGate.pass(() =>
      this.connected(this.sources.reader, (connection) => work(readerOn(connection, this.dialect))),
    );
  }

  /** Runs statements that all see the same committed state. */
  async readSnapshot<T>(work: (sql: SqlReader) => Promise<T>): Promise<T> {
    return this.snapshotGate.pass(() =>
      this.connected(this.sources.snapshot, async (connection) => {
        const begun = Promise.all(this.dialect.beginSnapshot.map((statement) => connection.execute(statement, [])));
        begun.catch(() => undefined);
        // In a batch they travel with the first read, which does not run when they fail.
        if (!this.dialect.batches) await begun;
        try {
          return await work(readerOn(connection, this.dialect));
        } finally {
          await connection.execute('COMMIT', []);
        }
      }),
    );
  }

  /**
   * Runs one write transaction: all of it is committed, or nothing. Deadlocks, lock waits and vanished lanes are run
   * again from the start, a bounded number of times with jitter, then answered as ConcurrentUpdate. Domain errors roll
   * back and pass through.
   */
  async write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.retried(() => this.writeGate.pass(() => this.writeOnce(work)));
  }

  /** A queue of writes that are done in groups, with the bounds of this database. */
  groups<M>(rules: GroupRules<M>, run: (entries: readonly GroupEntry<M>[]) => Promise<void>): GroupQueue<M> {
    const { groupsInFlight: inFlight, groupMembers: members, groupRows: weight } = DATABASE_LIMITS;
    const { queueLength: waiting, queueWaitMs: waitMs } = this.settings;
    return new GroupQueue({ inFlight, members, weight, waiting, waitMs }, rules, run);
  }

  private async retried<T>(attempt: () => Promise<T>): Promise<T> {
    for (let number = 1; ; number += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof StartOver) && this.dialect.classify(error) !== 'retry') throw error;
        if (number >= this.settings.attempts) {
          throw new ConcurrentUpdate('Another request kept changing the same things, please retry.', { cause: error });
        }
        const pause = Math.random() * this.settings.backoffMs * Math.min(number, 8);
        await new Promise((resume) => setTimeout(resume, pause));
      }
    }
  }

  private async writeOnce<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.connected(this.sources.writer, async (connection) => {
      const lane = await this.laneOf(connection);
      const deadline = this.deadline(connection);
      const control = this.controls.get(connection.identity) ?? this.dialect.control;
      const unit = new WriteUnit(connection, this.dialect, control);
      let isFinished = false;
      const finish = async (): Promise<void> => {
        await this.concluded(connection, unit, lane);
        isFinished = true;
      };
      try {
        const result = await unit.run(work, finish);
        if (!isFinished) await finish();
        return result;
      } catch (error) {
        await rollBack(connection, control);
        if (deadline.isOver) throw new Unavailable('The write took too long and was cut off.', 1, { cause: error });
        throw error;
      } finally {
        clearTimeout(deadline.timer);
      }
    });
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
    const lane = await openLane(writerOn(connection, this.dialect), this.settings.processName);
    this.lanes.set(connection.identity, lane);
    this.openLanes.add(lane.id);
    (connection.identity as Partial<NodeJS.EventEmitter>).once?.('end', () => this.openLanes.delete(lane.id));
    return lane;
  }

  /** No write outlives its time: readers of the change log rely on it. */
  private deadline(connection: Connection): { readonly timer: NodeJS.Timeout; isOver: boolean } {
    const timer = setTimeout(() => {
      deadline.isOver = true;
      connection.destroy();
    }, this.settings.writeTimeoutMs);
    const deadline = { timer, isOver: false };
    return deadline;
  }

  private async connected<T>(source: DataSource, work: (connection: Connection) => Promise<T>): Promise<T> {
    let connection: Connection | undefined;
    try {
      connection = await acquire(source);
      if (!this.controls.has(connection.identity)) {
        this.controls.set(connection.identity, await setUp(connection, this.dialect));
      }
      return await work(connection);
    } catch (error) {
      if (this.dialect.classify(error) === 'connection') {
        throw new Unavailable('The database cannot be reached.', 1, { cause: error });
      }
      throw error;
    } finally {
      connection?.release();
    }
  }
}

/** Makes a fresh connection fit for use; answers how its transactions are controlled. */
async function setUp(connection: Connection, dialect: Dialect): Promise<TransactionControl> {
  for (const statement of dialect.sessionSetup) await connection.execute(statement, []);
  const { certification } = dialect;
  if (certification === undefined) return dialect.control;
  const { rows } = await connection.execute(certification.question, []);
  return certification.isGivenBy(rows) ? certification.control : dialect.control;
}

/** Once more where the first is answered with the abort of the transaction instead of being run. */
const ROLL_BACK_ATTEMPTS = 2;

/** Undoes what is not committed. A connection on which that cannot be done is not used again. */
async function rollBack(connection: Connection, control: TransactionControl): Promise<void> {
  for (let attempt = 1; attempt <= ROLL_BACK_ATTEMPTS; attempt += 1) {
    try {
      await Promise.all(control.rollBack.map((statement) => connection.execute(statement, [])));
      return;
    } catch {
      // A lost connection has rolled back already; the first error is the one that matters.
    }
  }
  connection.destroy();
}

/** One transaction on one connection: its statements, what it leaves for the end, what it changes of the graph. */
class WriteUnit {
  private readonly changes = new ChangeRecorder();
  private readonly last: Statement[] = [];
  private readonly begun: Promise<unknown>;
  /** Why the transaction is gone; whatever is sent after that would stand alone. */
  private lost: Error | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly dialect: Dialect,
    private readonly control: TransactionControl,
  ) {
    this.begun = Promise.all(control.begin.map((statement) => this.execute(statement, [])));
    this.begun.catch(() => undefined);
  }

  async run<T>(work: (tx: WriteTx) => Promise<T>, finish: WriteTx['finish']): Promise<T> {
    // In a batch it travels with the first statement of the work, which does not run when it fails.
    if (!this.dialect.batches) await this.begun;
    const result = await work({
      ...writerOn({ execute: (sql, params) => this.execute(sql, params) }, this.dialect),
      conclude: (sql, params = []) => void this.last.push({ sql, params }),
      finish,
      changes: this.changes,
    });
    // A batch fails as a whole: a duplicate that the work could live with says nothing against the transaction.
    await this.begun.catch(() => undefined);
    if (this.lost !== undefined) throw this.lost;
    return result;
  }

  /** In a batch all of it is one round trip, of which the server runs nothing behind a statement that failed. */
  async conclude(lane: Lane): Promise<void> {
    const log = this.changes.isEmpty ? [] : this.changes.statements(lane, this.dialect.nowSeconds);
    const commit = this.control.commit.map((sql): Statement => ({ sql, params: [] }));
    const statements = [...this.last, ...log, ...commit];
    if (this.dialect.batches) {
      await Promise.all(statements.map(({ sql, params }) => this.execute(sql, params)));
      return;
    }
    for (const { sql, params } of statements) await this.execute(sql, params);
  }

  private async execute(sql: string, params: SqlParams): Promise<StatementResult> {
    if (this.lost !== undefined) throw this.lost;
    try {
      return await this.connection.execute(sql, params);
    } catch (error) {
      const failure = this.dialect.classify(error);
      if (failure === 'retry' || failure === 'connection') this.lost = error as Error;
      throw error;
    }
  }
}

/** Thrown inside a write: what it read has changed under it, so the whole unit is run again, like after a deadlock. */
export class StartOver extends Error {
  override readonly name = 'StartOver';
}

type Executor = Pick<Connection, 'execute'>;

function readerOn(connection: Executor, dialect: Dialect): SqlReader {
  return {
    dialect,
    query: async <R>(sql: string, params: SqlParams = []): Promise<readonly R[]> =>
      (await connection.execute(sql, params)).rows as readonly R[],
  };
}

function writerOn(connection: Executor, dialect: Dialect): Omit<WriteTx, 'changes' | 'conclude' | 'finish'> {
  return {
    ...readerOn(connection, dialect),
    run: async (sql, params = []) => (await connection.execute(sql, params)).affected,
    insert: async (sql, params = []) => (await connection.execute(sql, params)).insertId,
  };
}
