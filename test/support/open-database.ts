// A migrated Database without the HTTP layer, for tests of the data layer.
import type { ConnectionSources } from '../../src/platform/database/connections';
import { closeSources } from '../../src/platform/database/connections';
import { Database } from '../../src/platform/database/database';
import { DIALECTS } from '../../src/platform/database/dialects';
import { openSources } from '../../src/platform/database/open-sources';
import type { TestDatabaseKind } from './databases';
import { createMigratedDatabase, TEST_SETTINGS } from './migrated-database';

export { TEST_SETTINGS };

export interface OpenDatabase {
  readonly database: Database;
  close(): Promise<void>;
}

/** `change` can insert a wrapper between the data layer and its connections. */
export async function openTestDatabase(
  kind: TestDatabaseKind,
  change: (sources: ConnectionSources) => ConnectionSources = (sources) => sources,
): Promise<OpenDatabase> {
  const test = await createMigratedDatabase(kind);
  const sources = await openSources(test.target, { warn: () => undefined });
  const database = new Database(change(sources), { ...TEST_SETTINGS, dialect: DIALECTS[kind] });
  return {
    database,
    close: async () => {
      await closeSources(sources);
      await test.drop();
    },
  };
}
