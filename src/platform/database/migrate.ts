// Migrates a database to the newest schema, once, even if several processes start together.
import type { DataSource } from 'typeorm';
import { DATABASE_LIMITS } from '../config/limits/database';
import { StartRefused } from '../values/start-refused';
import type { DatabaseTarget } from './data-source';
import { Sqlite } from './sqlite-driver';

/** The table of applied migrations; also the name of the lock that excludes concurrent runs. */
const MIGRATIONS_TABLE = 'berth_migrations';

export class ForeignDatabase extends StartRefused {
  override readonly name = 'ForeignDatabase';
}

/**
 * Runs the pending migrations under a lock; returns their names. Refuses a database with another service's tables
 * without changing it (ForeignDatabase).
 */
export async function migrate(source: DataSource, target: DatabaseTarget): Promise<readonly string[]> {
  return exclusively(source, target, async () => {
    await refuseForeignDatabase(source);
    const done = await source.runMigrations({ transaction: target.kind === 'sqlite' ? 'each' : 'none' });
    return done.map((migration) => migration.name);
  });
}

export interface MigrationState {
  readonly name: string;
  readonly isDone: boolean;
}

/** Every migration in order, and whether it was applied. Only reads; refuses another service's database. */
export async function migrationStates(source: DataSource): Promise<readonly MigrationState[]> {
  await refuseForeignDatabase(source);
  const done = await migrationsDone(source);
  return source.migrations.map(({ name = '' }) => ({ name, isDone: done.has(name) }));
}

/** Whether the schema is the newest. Only reads; refuses another service's database. */
export async function isMigrated(source: DataSource): Promise<boolean> {
  return (await migrationStates(source)).every(({ isDone }) => isDone);
}

/** Migrations of the database that this version does not have, because a newer version made them. Only reads. */
export async function newerMigrations(source: DataSource): Promise<readonly string[]> {
  const known = new Set(source.migrations.map(({ name }) => name));
  return [...(await migrationsDone(source))].filter((name) => !known.has(name));
}

async function migrationsDone(source: DataSource): Promise<ReadonlySet<string>> {
  const runner = source.createQueryRunner();
  try {
    if (!(await runner.hasTable(MIGRATIONS_TABLE))) return new Set();
    const rows = (await runner.query(`SELECT name FROM ${MIGRATIONS_TABLE}`)) as { name: string }[];
    return new Set(rows.map(({ name }) => name));
  } finally {
    await runner.release();
  }
}

async function refuseForeignDatabase(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    const isHostOfService = await runner.hasTable(MIGRATIONS_TABLE);
    const isForeign = (await runner.hasTable('alembic_version')) || (await runner.hasTable('resource_providers'));
    if (!isHostOfService && isForeign) {
      throw new ForeignDatabase(
        `The database ${String(source.options.database)} holds the tables of another placement service. ` +
          'Berth does not take them over in place: ' +
          'use a separate database.',
      );
    }
  } finally {
    await runner.release();
  }
}

async function exclusively<T>(source: DataSource, target: DatabaseTarget, work: () => Promise<T>): Promise<T> {
  return target.kind === 'sqlite' ? withFileLock(target.path, work) : withServerLock(source, work);
}

/** GET_LOCK belongs to one connection, so it is taken and released on the same one. */
async function withServerLock<T>(source: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = source.createQueryRunner();
  try {
    const [row] = (await runner.query('SELECT GET_LOCK(CONCAT(DATABASE(), ?), ?) AS held', [
      `.${MIGRATIONS_TABLE}`,
      DATABASE_LIMITS.migrationLockTimeoutSeconds,
    ])) as { held: number | null }[];
    if (row?.held !== 1) throw new StartRefused('another process has been migrating this database for too long');
    try {
      return await work();
    } finally {
      await runner.query('SELECT RELEASE_LOCK(CONCAT(DATABASE(), ?))', [`.${MIGRATIONS_TABLE}`]);
    }
  } finally {
    await runner.release();
  }
}

/** A write lock on a small file next to the database; the lock ends with its process, however the process ends. */
async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = new Sqlite(`${path}.lock`, { timeout: DATABASE_LIMITS.migrationLockTimeoutSeconds * 1000 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return await work();
  } finally {
    lock.close();
  }
}
