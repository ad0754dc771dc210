// A migrated Database without the HTTP layer, for tests of the data layer.
import { DIALECTS } from '../../src/platform/database/dialects';
import { closeSources } from '../../src/platform/database/connections';
import type { ConnectionSources } from '../../src/platform/database/connections';
import { Database } from '../../src/platform/database/database';
import type { DatabaseSettings } from '../../src/platform/database/database';
import { openSource } from '../../src/platform/database/data-source';
import { migrate } from '../../src/platform/database/migrate';
import { openSources } from '../../src/platform/database/open-sources';
import { syncStandardNames } from '../../src/placement/standard-names';
import { createTestDatabase } from './databases';
import type { TestDatabaseKind } from './databases';

export interface OpenDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

export const TEST_SETTINGS: Omit<DatabaseSettings, 'dialect'> = {
  poolSize: 8,
  queueLength: 1000,
  queueWaitMs: 10_000,
  attempts: 10,
  backoffMs: 10,
  writeTimeoutMs: 30_000,
  processName: 'test',
};

/** `change` can insert a wrapper between the data layer and its connections. */
export async function openTestDatabase(
  kind: TestDatabaseKind,
  change: (sources: ConnectionSources) => ConnectionSources = (sources) => sources,
): Promise<OpenDatabase> {
  const test = await createTestDatabase(kind);
  const migrator = await openSource(test.target, 'writer');
  await migrate(migrator, test.target);
  await migrator.destroy();
  const sources = await openSources(test.target, { warn: () => undefined });
  const database = new Database(change(sources), { ...TEST_SETTINGS, dialect: DIALECTS[kind] });
  await syncStandardNames(database, Date.now());
  return {
    database,
    close: async () => {
      await closeSources(sources);
      await test.drop();
    },
  };
}
