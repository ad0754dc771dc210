// The SQLite driver for scripts, which run without a build; src/platform/database/sqlite-driver.ts has the reason.
import { createRequire } from 'node:module';

export const Sqlite = createRequire(import.meta.url)(
  process.versions.node.startsWith('20.') ? 'better-sqlite3' : 'better-sqlite3-13',
);
