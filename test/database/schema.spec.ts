// The migrated schema equals that of the entities; migrations are idempotent, safe under concurrency, and refuse a
// foreign database.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { MIGRATIONS, openSource } from '../../src/platform/database/data-source';
import { EntitySource, entitySourceOptions } from '../../src/platform/database/entity-source';
import { ForeignDatabase, isMigrated, migrate, newerMigrations } from '../../src/platform/database/migrate';
import { Sqlite } from '../../src/platform/database/sqlite-driver';
import type { TestDatabase } from '../support/databases';
import { createTestDatabase, testDatabaseKinds } from '../support/databases';

const SRC = resolve(__dirname, '../../src');

const entityFiles = (): readonly string[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.entity.ts'))
    .map((path) => join(SRC, path));

const isClass = (value: unknown): value is new () => object =>
  typeof value === 'function' && getMetadataArgsStorage().tables.some(({ target }) => target === value);

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase(kind);
  });
  afterEach(() => test.drop());

  it('has exactly the tables and columns of the entities', async () => {
    const source = await openSource(test.target, 'writer');
    await migrate(source, test.target);
    const runner = source.createQueryRunner();
    const files = await Promise.all(entityFiles().map((path) => import(path) as Promise<object>));
    const entities = files.flatMap((file) => Object.values(file).filter(isClass));
    const known = await new EntitySource({ ...entitySourceOptions(kind), entities }).initialize();
    expect(known.entityMetadatas.length).toBeGreaterThan(10);
    for (const { tableName, columns } of known.entityMetadatas) {
      const table = await runner.getTable(tableName);
      const actual = table?.columns.map((column) => [column.name, column.isNullable]).sort();
      const stored = columns.filter((column) => !column.isVirtualProperty);
      const expected = stored.map((column) => [column.databaseName, column.isNullable]);
      expect([tableName, actual]).toEqual([tableName, expected.sort()]);
    }
    await runner.release();
    await source.destroy();
  });

  it('is migrated once by several concurrent starts, and not again', async () => {
    const sources = await Promise.all([1, 2, 3].map(() => openSource(test.target, 'writer')));
    // On SQLite the lock is a file lock, on which one process would wait for itself.
    const runs = [];
    if (kind === 'mysql') runs.push(...(await Promise.all(sources.map((source) => migrate(source, test.target)))));
    else for (const source of sources) runs.push(await migrate(source, test.target));
    expect(runs.map((run) => run.length).sort()).toEqual([0, 0, MIGRATIONS.length]);
    expect(await isMigrated(sources[0] as never)).toBe(true);
    for (const source of sources) await source.destroy();
  });

  it('names what a newer version has migrated', async () => {
    const source = await openSource(test.target, 'writer');
    await migrate(source, test.target);
    expect(await newerMigrations(source)).toEqual([]);
    await source.query("INSERT INTO berth_migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')");
    expect(await newerMigrations(source)).toEqual(['Later9999999999999']);
    expect(await isMigrated(source)).toBe(true);
    await source.destroy();
  });

  it('resumes after a migration that failed half way', async () => {
    const source = await openSource(test.target, 'writer');
    await migrate(source, test.target);
    await source.query('DROP TABLE change_log');
    await source.query('DELETE FROM berth_migrations');
    expect(await migrate(source, test.target)).toHaveLength(MIGRATIONS.length);
    await source.query('SELECT * FROM change_log');
    await source.destroy();
  });

  it('refuses a database with the tables of another placement service, without changes', async () => {
    const source = await openSource(test.target, 'writer');
    await source.query('CREATE TABLE alembic_version (version_num varchar(32))');
    await expect(migrate(source, test.target)).rejects.toBeInstanceOf(ForeignDatabase);
    const runner = source.createQueryRunner();
    expect(await runner.hasTable('resource_providers')).toBe(false);
    await runner.release();
    await source.destroy();
  });
});

describe('SQLite', () => {
  it('is durable: WAL and synchronous=FULL', async () => {
    const test = await createTestDatabase('sqlite');
    const target = { ...test.target, isSynchronousFull: true } as typeof test.target;
    const source = await openSource(target, 'writer');
    expect(await source.query('PRAGMA synchronous')).toEqual([{ synchronous: 2 }]);
    expect(await source.query('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await source.query('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }]);
    await source.destroy();
    await test.drop();
  });

  it('keeps the first custom resource class above the standard ones', async () => {
    const test = await createTestDatabase('sqlite');
    const source = await openSource(test.target, 'writer');
    await migrate(source, test.target);
    await source.query("INSERT INTO resource_classes (name, created_at) VALUES ('CUSTOM_A', 1)");
    await source.destroy();
    const direct = new Sqlite(test.target.kind === 'sqlite' ? test.target.path : '');
    expect(direct.prepare('SELECT id FROM resource_classes').all()).toEqual([{ id: 10_000 }]);
    direct.close();
    await test.drop();
  });
});
