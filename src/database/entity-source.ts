// TypeORM's repositories speak through what holds the connection here: the source of their entities has none of its own,
// and each use of a repository names the transaction, or the reader, whose statements it issues.
import { DataSource, EntityManager } from 'typeorm';
import type { DataSourceOptions, ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import type { DialectName } from './dialects';
import type { SqlParams, SqlReader, WriteTx } from './sql';

/** What TypeORM has to know to write its statements. It insists on the name of a database; nothing is opened. */
export const entitySourceOptions = (dialect: DialectName): DataSourceOptions =>
  dialect === 'mysql' ? { type: 'mysql', database: 'any' } : { type: 'better-sqlite3', database: ':memory:' };

/** Knows the entities, and connects to nothing. */
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

/** The repository inside this transaction, or in this reader: its statements take their turn among the others there. */
export function repositoryIn<E extends ObjectLiteral>(sql: SqlReader, repository: Repository<E>): Repository<E> {
  let manager = managers.get(sql);
  if (manager === undefined) {
    const source = repository.manager.dataSource;
    manager = new EntityManager(source, runnerOn(sql, source));
    managers.set(sql, manager);
  }
  return manager.getRepository<E>(repository.target);
}

/** Marked as in a transaction, for otherwise TypeORM begins one of its own and commits what is half done. */
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

/** As the drivers of TypeORM report it. */
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
