// Parts of DDL that differ between the databases. Migrations are written by hand and run on both.
import type { QueryRunner } from 'typeorm';

export interface Ddl {
  /** A generated primary key whose values are never reused. */
  readonly id: string;
  /** A reference to a generated key. */
  readonly ref: string;
  /** Canonical uuids: ASCII, compared byte by byte. */
  readonly uuid: string;
  readonly bigint: string;
  readonly double: string;
  /** Unicode text, compared by code point including trailing blanks. */
  readonly text: (length: number) => string;
  /** Unicode text of any length, for JSON documents. */
  readonly document: string;
  /** True if indexes are declared inside CREATE TABLE. */
  readonly inlineIndexes: boolean;
  /** Makes the generated keys of a new table start at `first`. */
  readonly startAt: (table: string, first: number) => readonly string[];
  /** The text after the closing parenthesis of CREATE TABLE. */
  readonly tail: string;
}

const SQLITE_DDL: Ddl = {
  id: 'integer PRIMARY KEY AUTOINCREMENT NOT NULL',
  ref: 'integer',
  uuid: 'char(36)',
  bigint: 'bigint',
  double: 'double',
  text: (length) => `varchar(${length})`,
  document: 'text',
  inlineIndexes: false,
  startAt: (table, first) => [
    `INSERT INTO sqlite_sequence (name, seq) SELECT '${table}', ${first - 1} ` +
      `WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '${table}')`,
  ],
  tail: '',
};

function mysqlDdl(collation: string): Ddl {
  return {
    id: 'bigint NOT NULL AUTO_INCREMENT PRIMARY KEY',
    ref: 'bigint',
    uuid: 'char(36) CHARACTER SET ascii COLLATE ascii_bin',
    bigint: 'bigint',
    double: 'double',
    text: (length) => `varchar(${length})`,
    document: 'longtext',
    inlineIndexes: true,
    startAt: (table, first) => [`ALTER TABLE ${table} AUTO_INCREMENT = ${first}`],
    tail: ` ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE ${collation}`,
  };
}

/** The parts for the database of `runner`. Needs MySQL 8 or MariaDB 10.11 for a binary collation without padding. */
export async function ddlOf(runner: QueryRunner): Promise<Ddl> {
  if (runner.dataSource.options.type !== 'mysql') return SQLITE_DDL;
  const [row] = (await runner.query('SELECT VERSION() AS version')) as { version: string }[];
  return mysqlDdl(row?.version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin');
}

export interface Index {
  readonly name: string;
  readonly columns: string;
}

export const index = (name: string, columns: string): Index => ({ name, columns });

/**
 * Columns, constraints and indexes of a table. In MySQL, which has no CREATE INDEX IF NOT EXISTS, indexes are inline.
 */
export function createTable(ddl: Ddl, name: string, parts: readonly (string | Index)[]): readonly string[] {
  const lines = parts.filter((part) => typeof part === 'string');
  const indexes = parts.filter((part) => typeof part !== 'string');
  if (ddl.inlineIndexes) lines.push(...indexes.map((each) => `INDEX ${each.name} (${each.columns})`));
  const create = `CREATE TABLE IF NOT EXISTS ${name} (\n  ${lines.join(',\n  ')}\n)${ddl.tail}`;
  if (ddl.inlineIndexes) return [create];
  return [create, ...indexes.map((each) => `CREATE INDEX IF NOT EXISTS ${each.name} ON ${name} (${each.columns})`)];
}
