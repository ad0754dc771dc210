// A Database outside of Nest, for commands.
import type { BerthConfig } from '../config/berth-config';
import { openSource, sourceNames } from './data-source';
import { Database } from './database';
import { isMigrated, migrate } from './migrate';
import { settingsOf, targetOf } from './target-of-config';

export interface DatabaseForCommand {
  readonly database: Database;
  /** Brings the schema up to date; answers what was done. */
  migrate(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens the configured database. Unless `isToMigrate`, its schema must be the newest one. */
export async function openConfiguredDatabase(config: BerthConfig, isToMigrate = false): Promise<DatabaseForCommand> {
  const target = targetOf(config);
  const writer = await openSource(target, 'writer');
  if (!isToMigrate && !(await isMigrated(writer))) {
    await writer.destroy();
    throw new Error('the database schema is not up to date: run "berth migrate"');
  }
  const names = sourceNames(target);
  const reader = names.includes('reader') ? await openSource(target, 'reader') : writer;
  const snapshot = names.includes('snapshot') ? await openSource(target, 'snapshot') : writer;
  return {
    database: new Database({ writer, reader, snapshot }, settingsOf(config)),
    migrate: () => migrate(writer, target),
    close: async () => {
      for (const source of new Set([snapshot, reader, writer])) await source.destroy();
    },
  };
}
