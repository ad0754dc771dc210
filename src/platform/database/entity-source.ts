// Connects TypeORM's repositories to the connections of this data layer. The entities' data source has no connection;
// each use of a repository names the transaction or reader that runs its statements.
import type { DataSourceOptions, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import { DataSource, EntityManager } from 'typeorm';
import type { DialectName } from './dialects';
import type { SqlParams, SqlReader, WriteTx } from './sql';

/** Minimal options for TypeORM to generate statements. It requires a database name, but nothing is opened. */
export const entitySourceOptions = (dialect: DialectName): DataSourceOptions =>
  dialect === 'mysql' ? { type: 'mysql', database: 'any' } : { type: 'better-sqlite3', database: ':memory:' };

/** Holds the entity metadata and connects to nothing. */
export class EntitySource extends DataSource {
  override async initialize(): Promise<this> {
    await this.buildMetadatas();
    return Object.assign(this, { isInitialized: true });
  }

  override async destroy(): Promise<void> {
    Object.assign(this, { isInitialized: false });
  }

  override createQueryRunner(): never {
    throw new Error('entities are read and written through repositoryIn');
  }
}

const managers = new WeakMap<SqlReader, EntityManager>();

/** The repository bound to this transaction or reader; its statements run in order with all others there. */
export function repositoryIn<E extends ObjectLiteral>(sql: SqlReader, repository: Repository<E>): Repository<E> {
  let manager = managers.get(sql);
  if (manager === undefined) {
    const source = repository.manager.dataSource;
    manager = new EntityManager(source, runnerOn(sql, source));
    managers.set(sql, manager);
  }
  return manager.getRepository<E>(repository.target);
}

/** Marked as in a transaction; otherwise TypeORM would begin one of its own and commit incomplete work. */
function runnerOn(sql: SqlReader, source: DataSource): QueryRunner {
  const runner = Object.create(source.driver.createQueryRunner('master')) as QueryRunner;
  const query = async (text: string, params: SqlParams = [], isStructured = false): Promise<unknown> => {
    const result = await executed(sql, text, params);
    return isStructured ? result : result.raw;
  };
  return Object.assign(runner, { isTransactionActive: true, isReleased: false, release: async () => undefined, query });
}

interface Result {
  readonly raw: unknown;
  readonly records?: readonly unknown[];
  readonly affected?: number;
}

/** The result in the form of TypeORM's drivers. */
async function executed(sql: SqlReader, text: string, params: SqlParams): Promise<Result> {
  if (text.startsWith('SELECT ')) {
    const rows = await sql.query(text, params);
    return { raw: rows, records: rows };
  }
  if (!isWrite(sql)) throw new Error('who only reads cannot write');
  if (!text.startsWith('INSERT ')) return affectedRows(await sql.run(text, params));
  const insertId = await sql.insert(text, params);
  return { raw: sql.dialect.name === 'mysql' ? { insertId } : insertId };
}

const affectedRows = (affected: number): Result => ({ raw: { affectedRows: affected }, affected });
const isWrite = (sql: SqlReader): sql is WriteTx => 'run' in sql;
