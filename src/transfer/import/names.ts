// Maps names in the reference to names in Berth: resource classes, traits, aggregates, consumer types, projects, users.
// Existing names are kept. Unknown standard resource classes keep their ids, as all standard ones do.
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import type { Database } from '../../platform/database/database';
import type { SqlReader } from '../../platform/database/sql';
import { chunks, marks } from '../../platform/database/sql';
import { CUSTOM_PREFIX, FIRST_CUSTOM_RESOURCE_CLASS_ID } from '../../platform/values/names';
import { canonicalUuid } from '../../platform/values/uuid';
import type { NameTable } from '../name-tables';
import { NAME_TABLES } from '../name-tables';
import type { NameRow } from '../reference/reader';
import { momentOf } from '../reference/times';
import { insertRows } from '../rows';
import type { ImportContext, NameIds, NewIds } from './import-context';

const NAMES_PER_STATEMENT = 500;

export async function importNames(context: ImportContext): Promise<NameIds> {
  const { database, placeholder, now } = context;
  context.progress.stage('names', 0);
  const ids: Partial<Record<NameTable, NewIds>> = {};
  for (const table of Object.keys(NAME_TABLES) as NameTable[]) ids[table] = await importTable(context, table);
  const only = async (table: NameTable, name: string): Promise<number> =>
    (await ensure(database, table, [{ id: 0, name, created_at: null, updated_at: null }], now())).get(name) ?? 0;
  return {
    ...(ids as Record<NameTable, NewIds>),
    placeholder: {
      projectId: await only('projects', placeholder.project),
      userId: await only('users', placeholder.user),
    },
  };
}

async function importTable(context: ImportContext, table: NameTable): Promise<NewIds> {
  const ids = new Map<number, number>();
  for await (const rows of context.reader.names(table)) {
    const named = table === 'placement_aggregates' ? canonicalAggregates(context, rows) : rows;
    for (const part of chunks(named, NAMES_PER_STATEMENT)) {
      const known = await ensure(context.database, table, part, context.now(), context.written);
      for (const { id, name } of part) {
        const ours = known.get(name);
        if (ours === undefined) throw new Error(`the ${table} row "${name}" could not be written`);
        ids.set(id, ours);
      }
    }
    context.progress.advance(rows.length);
  }
  return ids;
}

function canonicalAggregates({ findings }: ImportContext, rows: readonly NameRow[]): readonly NameRow[] {
  return rows.flatMap((row) => {
    const uuid = canonicalUuid(row.name);
    if (uuid !== row.name) findings.add(uuid === undefined ? 'bad-uuid' : 'odd-uuid', `aggregate ${row.name}`);
    return uuid === undefined ? [] : [{ ...row, name: uuid }];
  });
}

/** Returns the ids of all names, and creates the missing ones. */
async function ensure(
  database: Database,
  table: NameTable,
  rows: readonly NameRow[],
  nowMs: number,
  written?: ImportContext['written'],
): Promise<ReadonlyMap<string, number>> {
  const { column, isDated } = NAME_TABLES[table];
  const names = rows.map(({ name }) => name);
  const found = await database.read((sql) => find(sql, table, names));
  const missing = rows.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return found;
  await database.write(async (tx) => {
    for (const isGiven of [true, false]) {
      const part = missing.filter((row) => hasGivenId(table, row) === isGiven);
      if (part.length === 0) continue;
      const columns = part.map((row) => ({
        ...(isGiven && { id: row.id }),
        [column]: row.name,
        created_at: momentOf(row.created_at) ?? nowMs,
        ...(isDated && { updated_at: momentOf(row.updated_at) ?? null }),
      }));
      await insertRows(tx, table, columns, tx.dialect.onDuplicateIgnore(column));
    }
  });
  if (written !== undefined) written.count += missing.length;
  return database.read((sql) => find(sql, table, names));
}

const hasGivenId = (table: NameTable, { id }: NameRow): boolean =>
  table === 'resource_classes' && id < FIRST_CUSTOM_RESOURCE_CLASS_ID;

async function find(sql: SqlReader, table: NameTable, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { column } = NAME_TABLES[table];
  const rows = await sql.query<{ id: number; name: string }>(
    `SELECT id, ${column} AS name FROM ${table} WHERE ${column} IN (${marks(names.length)})`,
    names,
  );
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Deletes custom classes and traits that the reference does not have. By then no row refers to them. */
export async function removeStaleNames({ database, written }: ImportContext, ids: NameIds): Promise<void> {
  for (const table of ['resource_classes', 'traits'] as const) {
    const kept = new Set(ids[table].values());
    const text = `SELECT id, name FROM ${table} ORDER BY id LIMIT ${TRANSFER_LIMITS.names}`;
    const rows = await database.read((sql) => sql.query<{ id: number; name: string }>(text));
    const stale = rows.filter(({ id, name }) => name.startsWith(CUSTOM_PREFIX) && !kept.has(id)).map(({ id }) => id);
    for (const part of chunks(stale, NAMES_PER_STATEMENT)) {
      await database.write(async (tx) => {
        written.count += await tx.run(`DELETE FROM ${table} WHERE id IN (${marks(part.length)})`, part);
      });
    }
  }
}
