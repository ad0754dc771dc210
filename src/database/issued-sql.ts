// Statements as slices issue them, on a connection that is theirs for a while. Classes, because there is one for every
// read and every write: literals that were put together from others took 13 of a claim's 625 us.
import type { Connection } from './connections';
import type { Dialect } from './dialects';
import { inParts } from './row-parts';
import type { Changes, SqlParams, SqlReader, Statement, WriteTx, StatementResult } from './sql';

export type Executor = Pick<Connection, 'execute' | 'batch' | 'each'>;

/** Reading ones: whoever is given these cannot write, and is refused as a writer (entity-source.ts). */
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

/** Writing ones too, each by itself or in whatever its executor has begun. */
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

/** Those of one write transaction. */
export class IssuedWrite extends IssuedSql implements WriteTx {
  constructor(
    executor: Executor,
    dialect: Dialect,
    readonly changes: Changes,
    /** What it leaves for its end. */
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
