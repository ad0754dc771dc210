// One transaction on one connection: its statements, its final statements, its changes of the graph. Refuses statements
// after its end, and after the database has ended it.
import { DATABASE_LIMITS } from '../config/limits/database';
import { Unavailable } from '../values/errors';
import type { Lane } from './change-log';
import { ChangeRecorder } from './change-log';
import type { Connection } from './connections';
import type { Dialect, Failure } from './dialects';
import type { Executor } from './issued-sql';
import { IssuedWrite } from './issued-sql';
import type { Statement, StatementResult, WriteTx } from './sql';

export class WriteUnit {
  private readonly changes = new ChangeRecorder();
  private readonly last: Iterable<Statement>[] = [];
  /** Why the transaction is gone; any further statement would run outside it. */
  private lost: Error | undefined;
  private isOver = false;
  private isCommitting = false;

  constructor(
    private readonly connection: Connection,
    private readonly dialect: Dialect,
    /** Deadline, by `performance.now()`. */
    private readonly until: number,
  ) {}

  /** The commit was sent. */
  get mayBeCommitted(): boolean {
    return this.isCommitting;
  }

  /**
   * Refuses further statements: the unit is committed, or about to be rolled back. A parallel branch of failed work can
   * still issue statements; they would run alone or in the next transaction.
   */
  end(): void {
    this.isOver = true;
  }

  /** The error that ended the transaction, even if the work threw another one. */
  lossOf(error: unknown): unknown {
    return this.lost ?? error;
  }

  /** The statement interface for the work. */
  issued(finish: WriteTx['finish']): WriteTx {
    return new IssuedWrite(this.statements(), this.dialect, this.changes, this.last, finish);
  }

  throwIfLost(): void {
    if (this.lost !== undefined) throw this.lost;
  }

  /**
   * The final batch is one round trip unless it is large. The server stops at the first failed statement, and later
   * batches are not sent.
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
      // A database that reports an error has not committed.
      if (this.dialect.classify(error) !== 'connection') this.isCommitting = false;
      throw error;
    }
  }

  /** Sends the final statements batch by batch; returns the last batch instead of sending it. */
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

/** The error of a statement whose work is over. */
export const tooLate = (): Error => new Error('What this statement belongs to is over.');
