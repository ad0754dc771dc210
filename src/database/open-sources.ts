// Opens what a Database speaks through: data sources of TypeORM on SQLite, a pool of our own on MySQL.
import { SqliteSource } from './sqlite-connection';
import type { ConnectionSources } from './connections';
import { openSource } from './data-source';
import type { DatabaseTarget, SourceName, SqliteTarget } from './data-source';
import { MysqlPool } from './mysql-pool';
import type { HostsLog } from './mysql-hosts';

/** On MySQL nothing is connected yet; on SQLite the file must be there. */
export async function openSources(target: DatabaseTarget, log: HostsLog): Promise<ConnectionSources> {
  return target.kind === 'mysql' ? mysqlSources(new MysqlPool(target, log)) : sqliteSources(target);
}

/** One pool serves everybody. */
export const mysqlSources = (pool: MysqlPool): ConnectionSources => ({ writer: pool, reader: pool, snapshot: pool });

async function sqliteSources(target: SqliteTarget): Promise<ConnectionSources> {
  const [writer, reader, snapshot] = [
    await openSqlite(target, 'writer'),
    await openSqlite(target, 'reader'),
    await openSqlite(target, 'snapshot'),
  ];
  return { writer, reader, snapshot };
}

async function openSqlite(target: SqliteTarget, name: SourceName): Promise<SqliteSource> {
  const source = await openSource(target, name);
  return new SqliteSource(source, () => source.destroy());
}
