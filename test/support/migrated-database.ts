// Migrated databases for tests. A process migrates one database of each kind, adds the standard names and copies the
// result: on MariaDB a copy takes a tenth of the time.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Connection, RowDataPacket, SqlValue } from 'mysql2/promise';
import { createConnection, format } from 'mysql2/promise';
import { syncStandardNames } from '../../src/placement/standard-names';
import { closeSources } from '../../src/platform/database/connections';
import type { DatabaseTarget, MysqlTarget } from '../../src/platform/database/data-source';
import { openSource } from '../../src/platform/database/data-source';
import type { DatabaseSettings } from '../../src/platform/database/database';
import { Database } from '../../src/platform/database/database';
import { DIALECTS } from '../../src/platform/database/dialects';
import { migrate } from '../../src/platform/database/migrate';
import { openSources } from '../../src/platform/database/open-sources';
import type { TestDatabase, TestDatabaseKind } from './databases';
import { createTestDatabase } from './databases';

export const TEST_SETTINGS: Omit<DatabaseSettings, 'dialect'> = {
  poolSize: 8,
  queueLength: 1000,
  queueWaitMs: 10_000,
  attempts: 10,
  backoffMs: 10,
  writeTimeoutMs: 30_000,
  processName: 'test',
};

/** What fills an empty database. */
type Fill = (target: DatabaseTarget) => Promise<void>;

/** Test files of a process share this module, and with it the templates. */
const templates = new Map<TestDatabaseKind, Promise<Fill>>();

/** A database like that of a service after its start. */
export async function createMigratedDatabase(kind: TestDatabaseKind): Promise<TestDatabase> {
  const fill = templates.get(kind) ?? makeTemplate(kind);
  templates.set(kind, fill);
  const test = await createTestDatabase(kind);
  await (
    await fill
  )(test.target);
  return test;
}

async function makeTemplate(kind: TestDatabaseKind): Promise<Fill> {
  const test = await createTestDatabase(kind);
  try {
    await prepare(test.target, kind);
    return test.target.kind === 'sqlite' ? fillSqlite(test.target.path) : await fillMysql(test.target);
  } finally {
    await test.drop();
  }
}

async function prepare(target: DatabaseTarget, kind: TestDatabaseKind): Promise<void> {
  const migrator = await openSource(target, 'writer');
  await migrate(migrator, target);
  await migrator.destroy();
  const sources = await openSources(target, { warn: () => undefined });
  await syncStandardNames(new Database(sources, { ...TEST_SETTINGS, dialect: DIALECTS[kind] }), Date.now());
  await closeSources(sources);
}

/** The last connection has moved the write-ahead log into the file. */
function fillSqlite(path: string): Fill {
  const bytes = readFileSync(path);
  return async (target) => {
    if (target.kind === 'sqlite') writeFileSync(target.path, bytes);
  };
}

async function fillMysql(template: MysqlTarget): Promise<Fill> {
  const dump = await within(template, dumpOf);
  return async (target) => {
    if (target.kind === 'mysql') await within(target, (connection) => connection.query(dump));
  };
}

async function within<T>(target: MysqlTarget, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { hosts, user, password, database } = target;
  const options = { charset: 'utf8mb4', dateStrings: true, multipleStatements: true };
  const connection = await createConnection({ ...hosts[0], user, password, database, ...options });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** Statements that create the tables and insert the rows. */
async function dumpOf(connection: Connection): Promise<string> {
  const rowsOf = async (sql: string): Promise<RowDataPacket[]> => (await connection.query<RowDataPacket[]>(sql))[0];
  const tables: string[] = [];
  const rows: string[] = [];
  for (const name of (await rowsOf('SHOW TABLES')).map((row) => String(Object.values(row)[0]))) {
    const [created] = await rowsOf(`SHOW CREATE TABLE \`${name}\``);
    tables.push(String(created?.['Create Table']));
    const values = (await rowsOf(`SELECT * FROM \`${name}\``)).map((row) => Object.values(row) as SqlValue[]);
    if (values.length > 0) rows.push(format(`INSERT INTO \`${name}\` VALUES ?`, [values]));
  }
  const session = "SET foreign_key_checks = 0, sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')";
  return [session, ...tables, ...rows].join(';\n');
}
