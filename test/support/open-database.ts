// A migrated Database without the web around it, for tests of the data layer.
import { DIALECTS } from '../../src/database/dialects';
import type { Dialect } from '../../src/database/dialects';
import { Database } from '../../src/database/database';
import { openSource, sourceNames } from '../../src/database/data-source';
import { migrate } from '../../src/database/migrate';
import { syncStandardNames } from '../../src/database/standard-names';
import { createTestDatabase } from './databases';
import type { TestDatabaseKind } from './databases';

export interface OpenDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

export async function openTestDatabase(
  kind: TestDatabaseKind,
  dialect: Dialect = DIALECTS[kind],
): Promise<OpenDatabase> {
  const test = await createTestDatabase(kind);
  const writer = await openSource(test.target, 'writer');
  await migrate(writer, test.target);
  const names = sourceNames(test.target);
  const reader = names.includes('reader') ? await openSource(test.target, 'reader') : writer;
  const snapshot = names.includes('snapshot') ? await openSource(test.target, 'snapshot') : writer;
  const database = new Database(
    { writer, reader, snapshot },
    {
      dialect,
      poolSize: 8,
      queueLength: 1000,
      queueWaitMs: 10_000,
      attempts: 10,
      backoffMs: 10,
      writeTimeoutMs: 30_000,
      processName: 'test',
    },
  );
  await syncStandardNames(database, Date.now());
  return {
    database,
    close: async () => {
      for (const source of new Set([snapshot, reader, writer])) await source.destroy();
      await test.drop();
    },
  };
}
