// The statement interface of slices on a borrowed connection. Classes, because every read and write creates one: object
// literals composed of others took 13 of a claim's 625 µs.
import type { Connection } from './connections';
import type { Dialect } from './dialects';
import { inParts } from './row-parts';
import type { Changes, SqlParams, SqlReader, Statement, StatementResult, WriteTx } from './sql';

export type Executor = Pick<Connection, 'execute' | 'batch' | 'each'>;

/** Read-only: entity-source.ts refuses writes on it. */
export class IssuedReads implements SqlReader {
  constructor(
    protected readonly executor: Executor,
    readonly dialect: Dialect,
  ) {}

  async query<R>(sql: string, params: SqlParams = []): Promise<readonly R[]> {
    return (await this.executor.execute(sql, params)).rows as readonly R[];
  }

  async each<R>(sql: string, params: SqlParams, take: (row: R) => void): Promise<void> {
    if (this.executor.each !== undefined) return this.executor.each(sql, params, (row) => take(row as R));
    const { rows } = await this.executor.execute(sql, params);
    await inParts(rows as readonly R[], take);
  }
}

/** Also writes; each statement runs alone or in the transaction that its executor has begun. */
export class IssuedSql extends IssuedReads {
  async run(sql: string, params: SqlParams = []): Promise<number> {
    return (await this.executor.execute(sql, params)).affected;
  }

  async insert(sql: string, params: SqlParams = []): Promise<number> {
    return (await this.executor.execute(sql, params)).insertId;
  }

  batch(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    return this.executor.batch(statements);
  }
}

/** The statements of one write transaction. */
export class IssuedWrite extends IssuedSql implements WriteTx {
  constructor(
    executor: Executor,
    dialect: Dialect,
    readonly changes: Changes,
    /** Statements to run at its end. */
    private readonly last: Iterable<Statement>[],
    readonly finish: () => Promise<void>,
  ) {
    super(executor, dialect);
  }

  conclude(sql: string, params: SqlParams = []): void {
    this.last.push([{ sql, params }]);
  }

  concludeWith(statements: Iterable<Statement>): void {
    this.last.push(statements);
  }
}
