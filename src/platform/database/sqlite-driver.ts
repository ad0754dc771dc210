// The SQLite driver. better-sqlite3 13 has its binaries in its package, but crashes on Node.js 20, which gets version 12
// (downloaded or compiled at the installation). The two have the same interface.
import { createRequire } from 'node:module';
import type BetterSqlite from 'better-sqlite3';

const needsVersion12 = process.versions.node.startsWith('20.');

export const Sqlite = createRequire(__filename)(
  needsVersion12 ? 'better-sqlite3' : 'better-sqlite3-13',
) as typeof BetterSqlite;
