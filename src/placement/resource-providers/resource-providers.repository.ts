// Resource providers in the database. Trees are stored as parent and root: every row of a tree refers to its root.
import type { SqlReader, SqlValue, WriteTx } from '../../platform/database/sql';
import { marks, queryAmong } from '../../platform/database/sql';
import type { RowOf } from '../../platform/database/table';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import { ROOM_SQL, STEP_SQL, UNITS_SQL } from '../domain/inventory';
import type { ProviderNode } from './providers.writes';
import { StoredProvider } from './resource-provider.entity';
import type { ProviderFilter, ResourceProvider } from './resource-providers.commands';

const PROVIDERS = new Table(StoredProvider);
const CREATED = PROVIDERS.only('uuid', 'name', 'generation', 'parentId', 'rootId', 'reported', 'createdAtMs');

const SELECT_PROVIDER =
  `SELECT ${PROVIDERS.only('uuid', 'name', 'generation', 'changedAt').as('p')}, parent.uuid AS parentUuid, ` +
  'root.uuid AS rootUuid FROM resource_providers p JOIN resource_providers root ON root.id = p.root_provider_id ' +
  'LEFT JOIN resource_providers parent ON parent.id = p.parent_provider_id';

export async function findProvider(sql: SqlReader, uuid: Uuid): Promise<ResourceProvider | undefined> {
  return (await sql.query<ResourceProvider>(`${SELECT_PROVIDER} WHERE p.uuid = ?`, [uuid]))[0];
}

export async function providerExists(sql: SqlReader, uuid: Uuid): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM resource_providers WHERE uuid = ?', [uuid])).length > 0;
}

/** In the order of creation. */
export async function listProviders(sql: SqlReader, filter: ProviderFilter): Promise<readonly ResourceProvider[]> {
  const where = conditions(filter);
  const text = where.length === 0 ? '' : ` WHERE ${where.map(([condition]) => condition).join(' AND ')}`;
  return sql.query<ResourceProvider>(
    `${SELECT_PROVIDER}${text} ORDER BY p.id`,
    where.flatMap(([, values]) => values),
  );
}

type Condition = readonly [text: string, params: readonly SqlValue[]];

function conditions(filter: ProviderFilter): readonly Condition[] {
  const all: Condition[] = [];
  if (filter.name !== undefined) all.push(['p.name = ?', [filter.name]]);
  if (filter.uuid !== undefined) all.push(['p.uuid = ?', [filter.uuid]]);
  if (filter.inTree !== undefined) {
    all.push([
      'p.root_provider_id = (SELECT root_provider_id FROM resource_providers WHERE uuid = ?)',
      [filter.inTree],
    ]);
  }
  for (const [name, amount] of filter.resources ?? []) all.push([HAS_ROOM, [name, amount, amount, amount, amount]]);
  for (const traits of filter.requiredTraits) all.push([`EXISTS (${hasOneOf('trait', traits.length)})`, traits]);
  if (filter.forbiddenTraits.length > 0) {
    all.push([`NOT EXISTS (${hasOneOf('trait', filter.forbiddenTraits.length)})`, filter.forbiddenTraits]);
  }
  for (const uuids of filter.memberOf) all.push([`EXISTS (${hasOneOf('aggregate', uuids.length)})`, uuids]);
  if (filter.forbiddenAggregates.length > 0) {
    all.push([`NOT EXISTS (${hasOneOf('aggregate', filter.forbiddenAggregates.length)})`, filter.forbiddenAggregates]);
  }
  return all;
}

/** The provider itself has inventory of the class, with capacity for the amount and matching units. */
const HAS_ROOM =
  'EXISTS (SELECT 1 FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id ' +
  `WHERE i.resource_provider_id = p.id AND c.name = ? AND ${ROOM_SQL} AND ${UNITS_SQL} AND ${STEP_SQL})`;

function hasOneOf(what: 'trait' | 'aggregate', count: number): string {
  return what === 'trait'
    ? 'SELECT 1 FROM resource_provider_traits pt JOIN traits t ON t.id = pt.trait_id ' +
        `WHERE pt.resource_provider_id = p.id AND t.name IN (${marks(count)})`
    : 'SELECT 1 FROM resource_provider_aggregates pa JOIN placement_aggregates a ON a.id = pa.aggregate_id ' +
        `WHERE pa.resource_provider_id = p.id AND a.uuid IN (${marks(count)})`;
}

export interface WantedRoots {
  readonly uuids?: readonly Uuid[];
  readonly names?: readonly string[];
}

const ROOT = PROVIDERS.only('id', 'uuid', 'name');

export type RootProvider = RowOf<typeof ROOT>;

/** Roots with one of the uuids or one of the names, sorted by id. */
export async function findRoots(
  sql: SqlReader,
  { uuids = [], names = [] }: WantedRoots,
): Promise<readonly RootProvider[]> {
  const rootsBy = (column: 'uuid' | 'name', values: readonly string[]): Promise<readonly RootProvider[]> =>
    queryAmong<RootProvider>(
      sql,
      values,
      (among) =>
        `SELECT ${ROOT.as('p')} FROM resource_providers p WHERE p.${column} IN (${among}) AND p.parent_provider_id IS NULL`,
    );
  const rows = [...(await rootsBy('uuid', uuids)), ...(await rootsBy('name', names))];
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => a.id - b.id);
}

export async function treeSize(sql: SqlReader, rootId: number): Promise<number> {
  const [row] = await sql.query<{ size: number }>(
    'SELECT COUNT(*) AS size FROM resource_providers WHERE root_provider_id = ?',
    [rootId],
  );
  return Number(row?.size ?? 0);
}

interface NewProvider {
  readonly uuid: Uuid;
  readonly name: string;
  /** Undefined for a root, which becomes its own root. */
  readonly parent: ProviderNode | undefined;
  readonly isOfReport: boolean;
}

/** Values of `reported`. */
const ADOPTED = 1;
export const CREATED_BY_REPORT = 2;

export async function insertProvider(tx: WriteTx, given: NewProvider, nowMs: number): Promise<number> {
  const { uuid, name, parent, isOfReport } = given;
  const place = parent === undefined ? {} : { parentId: parent.id, rootId: parent.rootId };
  const reported = isOfReport ? CREATED_BY_REPORT : 0;
  const { sql, params } = CREATED.insert([{ uuid, name, generation: 0, ...place, reported, createdAtMs: nowMs }]);
  const id = await tx.insert(sql, params);
  if (parent === undefined) await setRoot(tx, [id], id);
  return id;
}

export async function updateProvider(
  tx: WriteTx,
  id: number,
  change: { readonly name: string; readonly parentId?: number | null },
  nowMs: number,
): Promise<void> {
  const isMoved = change.parentId !== undefined;
  await tx.run(
    `UPDATE resource_providers SET name = ?, updated_at = ?${isMoved ? ', parent_provider_id = ?' : ''} WHERE id = ?`,
    [change.name, nowMs, ...(isMoved ? [change.parentId ?? null] : []), id],
  );
}

export async function setRoot(tx: WriteTx, ids: readonly number[], rootId: number): Promise<void> {
  await tx.run(`UPDATE resource_providers SET root_provider_id = ? WHERE id IN (${marks(ids.length)})`, [
    rootId,
    ...ids,
  ]);
}

/** Returns false if a report marked the provider before. */
export async function markReported(tx: WriteTx, id: number): Promise<boolean> {
  const text = 'UPDATE resource_providers SET reported = ? WHERE id = ? AND reported = 0';
  return (await tx.run(text, [ADOPTED, id])) === 1;
}

/** Whether a provider of the tree has allocations. */
export async function hasAllocations(sql: SqlReader, rootId: number): Promise<boolean> {
  const text =
    'SELECT 1 FROM inventories i JOIN resource_providers p ON p.id = i.resource_provider_id ' +
    'WHERE p.root_provider_id = ? AND i.used > 0 LIMIT 1';
  return (await sql.query(text, [rootId])).length > 0;
}

export async function hasChildren(sql: SqlReader, id: number): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM resource_providers WHERE parent_provider_id = ? LIMIT 1', [id])).length > 0;
}

/** Deletes the provider with its dependent rows. Returns false if it is in use; the caller must then roll back. */
export async function deleteProvider(tx: WriteTx, id: number): Promise<boolean> {
  await tx.run('DELETE FROM inventories WHERE resource_provider_id = ? AND used = 0', [id]);
  const left = await tx.query('SELECT 1 FROM inventories WHERE resource_provider_id = ? LIMIT 1', [id]);
  if (left.length > 0) return false;
  await tx.run('DELETE FROM resource_provider_traits WHERE resource_provider_id = ?', [id]);
  await tx.run('DELETE FROM resource_provider_aggregates WHERE resource_provider_id = ?', [id]);
  await tx.run('DELETE FROM resource_providers WHERE id = ?', [id]);
  return true;
}
