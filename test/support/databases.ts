// The databases of the suites: SQLite always, MySQL or MariaDB if one is reachable. Every suite gets temporary
// databases of its own.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { DatabaseTarget } from '../../src/platform/database/data-source';

export type TestDatabaseKind = 'sqlite' | 'mysql';

/** `scripts/test.mjs` sets the variable once per run; a suite that is started by hand reads the same variable. */
export function testDatabaseKinds(): readonly TestDatabaseKind[] {
  return mysqlUrl() === undefined ? ['sqlite'] : ['sqlite', 'mysql'];
}

function mysqlUrl(): URL | undefined {
  const text = process.env['BERTH_TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306';
  return text === 'none' ? undefined : new URL(text);
}

export interface TestDatabase {
  readonly target: DatabaseTarget;
  /** In the form of `DATABASE_URL`. */
  readonly url: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(kind: TestDatabaseKind): Promise<TestDatabase> {
  return kind === 'sqlite' ? createSqlite() : createMysql();
}

function createSqlite(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'berth-test-'));
  const path = join(folder, 'berth.sqlite');
  return {
    // These tests need no fsync; the durability test opens its own database.
    target: { kind: 'sqlite', path, isSynchronousFull: false },
    url: `sqlite:///${path}`,
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function createMysql(): Promise<TestDatabase> {
  const server = mysqlUrl();
  if (server === undefined) throw new Error('no MySQL server to test on');
  const database = `berth_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const credentials = {
    host: server.hostname,
    port: Number(server.port || 3306),
    user: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
  };
  const admin = await createConnection(credentials);
  await admin.query(`CREATE DATABASE ${database}`);
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${database}`;
  return {
    target: {
      kind: 'mysql',
      hosts: [{ host: credentials.host, port: credentials.port }],
      user: credentials.user,
      password: credentials.password,
      database,
      poolSize: 8,
    },
    url: url.toString(),
    drop: async () => {
      const dropper = await createConnection(credentials);
      await dropper.query(`DROP DATABASE IF EXISTS ${database}`);
      await dropper.end();
    },
  };
}
