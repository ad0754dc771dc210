// Opens the connections of a Database: TypeORM data sources on SQLite, this project's pool on MySQL.
import type { ConnectionSources } from './connections';
import type { DatabaseTarget, SqliteTarget } from './data-source';
import { openSource } from './data-source';
import type { HostsLog } from './mysql-hosts';
import { MysqlPool } from './mysql-pool';
import { SqliteReaders, SqliteSource, sqliteWriter } from './sqlite-connection';

/** On MySQL this connects to nothing yet; on SQLite the file must exist. */
export async function openSources(target: DatabaseTarget, log: HostsLog): Promise<ConnectionSources> {
  return target.kind === 'mysql' ? mysqlSources(new MysqlPool(target, log)) : sqliteSources(target);
}

/** One pool serves all three roles. */
export const mysqlSources = (pool: MysqlPool): ConnectionSources => ({ writer: pool, reader: pool, snapshot: pool });

async function sqliteSources(target: SqliteTarget): Promise<ConnectionSources> {
  const writer = await openSource(target, 'writer');
  const reader = await openSource(target, 'reader');
  const snapshot = await openSource(target, 'snapshot');
  return {
    writer: new SqliteSource(writer, () => writer.destroy(), sqliteWriter),
    reader: new SqliteSource(reader, () => reader.destroy()),
    snapshot: new SqliteReaders(snapshot, () => snapshot.destroy()),
  };
}
