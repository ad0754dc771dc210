// A Database outside Nest, for commands.
import { existsSync } from 'node:fs';
import type { PlatformConfig } from '../config/platform-config';
import { closeSources } from './connections';
import { openSource } from './data-source';
import { Database } from './database';
import type { MigrationState } from './migrate';
import { isMigrated, migrate, migrationStates, newerMigrations } from './migrate';
import { settledTarget } from './mysql-hosts';
import { openSources } from './open-sources';
import { settingsOf, targetOf } from './target-of-config';

interface DatabaseForCommand {
  readonly database: Database;
  /** Migrates the schema; returns the names of the applied migrations. */
  migrate(): Promise<readonly string[]>;
  migrations(): Promise<readonly MigrationState[]>;
  newerMigrations(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A command requires a database with the newest schema and does not migrate by itself. */
export class OutdatedSchema extends Error {}

/** `any`: also a schema that is not the newest. `new`: also a file that does not exist, which is created. */
export type AcceptedSchema = 'newest' | 'any' | 'new';

const QUIET = { warn: () => undefined };

export async function openConfiguredDatabase(
  config: PlatformConfig,
  accepted: AcceptedSchema = 'newest',
): Promise<DatabaseForCommand> {
  const target = await settledTarget(targetOf(config), QUIET);
  // Opening a file creates it.
  if (accepted !== 'new' && target.kind === 'sqlite' && !existsSync(target.path)) {
    throw new OutdatedSchema(`the database file ${target.path} does not exist: run "berth migrate"`);
  }
  const migrator = await openSource(target, 'writer');
  try {
    if (accepted === 'newest' && !(await isMigrated(migrator))) {
      throw new OutdatedSchema('the database schema is not up to date: run "berth migrate"');
    }
  } catch (error) {
    await migrator.destroy();
    throw error;
  }
  const sources = await openSources(target, QUIET);
  return {
    database: new Database(sources, settingsOf(config)),
    migrate: () => migrate(migrator, target),
    migrations: () => migrationStates(migrator),
    newerMigrations: () => newerMigrations(migrator),
    close: async () => {
      await closeSources(sources);
      await migrator.destroy();
    },
  };
}
