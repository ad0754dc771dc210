// Resource providers in the database. Trees are stored as (parent, root); every row of a tree names its root.
import { DATABASE_LIMITS } from '../config/limits';
import type { Uuid } from '../domain/uuid';
import type { SqlReader, SqlValue, WriteTx } from '../database/sql';
import { anyOf, chunks, marks } from '../database/sql';
import type { Provider, ProviderFilter } from './resource-providers.commands';

/** A provider's place in its tree, by row numbers. */
export interface ProviderNode {
  readonly id: number;
  readonly uuid: Uuid;
  readonly parentId: number | null;
  readonly rootId: number;
}

interface ProviderRow {
  readonly uuid: string;
  readonly name: string;
  readonly generation: number;
  readonly parent_uuid: string | null;
  readonly root_uuid: string;
  readonly changed_at: number;
}

const SELECT_PROVIDER =
  'SELECT p.uuid, p.name, p.generation, parent.uuid AS parent_uuid, root.uuid AS root_uuid, ' +
  'COALESCE(p.updated_at, p.created_at) AS changed_at FROM resource_providers p ' +
  'JOIN resource_providers root ON root.id = p.root_provider_id ' +
  'LEFT JOIN resource_providers parent ON parent.id = p.parent_provider_id';

const toProvider = (row: ProviderRow): Provider => ({
  uuid: row.uuid,
  name: row.name,
  generation: row.generation,
  parentUuid: row.parent_uuid,
  rootUuid: row.root_uuid,
  changedAt: row.changed_at,
});

export async function findProvider(sql: SqlReader, uuid: Uuid): Promise<Provider | undefined> {
  const [row] = await sql.query<ProviderRow>(`${SELECT_PROVIDER} WHERE p.uuid = ?`, [uuid]);
  return row === undefined ? undefined : toProvider(row);
}

export async function providerExists(sql: SqlReader, uuid: Uuid): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM resource_providers WHERE uuid = ?', [uuid])).length > 0;
}

export async function listProviders(sql: SqlReader, filter: ProviderFilter): Promise<readonly Provider[]> {
  const where = conditions(filter);
  const text = where.length === 0 ? '' : ` WHERE ${where.map(([condition]) => condition).join(' AND ')}`;
  const params = where.flatMap(([, values]) => [...values]);
  return (await sql.query<ProviderRow>(`${SELECT_PROVIDER}${text} ORDER BY p.id`, params)).map(toProvider);
}

/** What changes with every write to a provider, and nothing else. */
export interface ListedRow {
  readonly id: number;
  readonly generation: number;
  readonly changed_at: number;
}

/** So many of the providers that pass the filter, behind the given id, in the order of ids. */
export function listProviderRows(
  sql: SqlReader,
  filter: ProviderFilter,
  afterId: number,
  count: number,
): Promise<readonly ListedRow[]> {
  const where: readonly Condition[] = [['p.id > ?', [afterId]], ...conditions(filter)];
  return sql.query<ListedRow>(
    'SELECT p.id, p.generation, COALESCE(p.updated_at, p.created_at) AS changed_at FROM resource_providers p ' +
      `WHERE ${where.map(([condition]) => condition).join(' AND ')} ORDER BY p.id LIMIT ${count}`,
    where.flatMap(([, values]) => [...values]),
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

/** The provider itself has the class, and room and units for the amount. */
const HAS_ROOM =
  'EXISTS (SELECT 1 FROM inventories i JOIN resource_classes c ON c.id = i.resource_class_id ' +
  'WHERE i.resource_provider_id = p.id AND c.name = ? AND i.used + ? <= i.capacity ' +
  'AND i.min_unit <= ? AND i.max_unit >= ? AND ? % i.step_size = 0)';

function hasOneOf(what: 'trait' | 'aggregate', count: number): string {
  return what === 'trait'
    ? 'SELECT 1 FROM resource_provider_traits pt JOIN traits t ON t.id = pt.trait_id ' +
        `WHERE pt.resource_provider_id = p.id AND t.name IN (${marks(count)})`
    : 'SELECT 1 FROM resource_provider_aggregates pa JOIN placement_aggregates a ON a.id = pa.aggregate_id ' +
        `WHERE pa.resource_provider_id = p.id AND a.uuid IN (${marks(count)})`;
}

interface NodeRow {
  readonly id: number;
  readonly uuid: string;
  readonly parent_provider_id: number | null;
  readonly root_provider_id: number;
}

const SELECT_NODE = 'SELECT id, uuid, parent_provider_id, root_provider_id FROM resource_providers';

const toNode = (row: NodeRow): ProviderNode => ({
  id: row.id,
  uuid: row.uuid,
  parentId: row.parent_provider_id,
  rootId: row.root_provider_id,
});

export async function findNodes(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, ProviderNode>> {
  const nodes = new Map<Uuid, ProviderNode>();
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<NodeRow>(`${SELECT_NODE} WHERE uuid IN (${marks(part.length)})`, part);
    for (const row of rows) nodes.set(row.uuid, toNode(row));
  }
  return nodes;
}

export interface WantedRoots {
  readonly uuids?: readonly Uuid[];
  readonly names?: readonly string[];
}

export interface RootProvider {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
}

/** Providers without a parent that have one of the uuids or one of the names, in the order of ids. */
export async function findRoots(
  sql: SqlReader,
  { uuids = [], names = [] }: WantedRoots,
): Promise<readonly RootProvider[]> {
  const found = new Map<number, RootProvider>();
  for (const [column, values] of [['uuid', uuids] as const, ['name', names] as const]) {
    for (const part of chunks(values, DATABASE_LIMITS.idsPerStatement)) {
      const rows = await sql.query<RootProvider>(
        `SELECT id, uuid, name FROM resource_providers WHERE ${column} IN (${marks(part.length)}) ` +
          'AND parent_provider_id IS NULL',
        part,
      );
      for (const row of rows) found.set(row.id, row);
    }
  }
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** Every row of one tree, in no particular order. */
export async function nodesOfTree(sql: SqlReader, rootId: number): Promise<readonly ProviderNode[]> {
  return (await sql.query<NodeRow>(`${SELECT_NODE} WHERE root_provider_id = ?`, [rootId])).map(toNode);
}

export async function treeSize(sql: SqlReader, rootId: number): Promise<number> {
  const [row] = await sql.query<{ size: number }>(
    'SELECT COUNT(*) AS size FROM resource_providers WHERE root_provider_id = ?',
    [rootId],
  );
  return Number(row?.size ?? 0);
}

/**
 * Holds rows until commit, in the order of their ids; answers how many of them exist. By a write: what a row is only
 * read with is known to one database server, and a server that certifies at the commit compares what was written.
 */
export async function holdProviders(tx: WriteTx, ids: readonly number[]): Promise<number> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  return tx.run(`UPDATE resource_providers SET holds = holds + 1 WHERE id IN (${marks(sorted.length)})`, sorted);
}

export interface NewProvider {
  readonly uuid: Uuid;
  readonly name: string;
  readonly parentId: number | null;
  /** Null for a root, which becomes its own. */
  readonly rootId: number | null;
}

export async function insertProvider(tx: WriteTx, provider: NewProvider, nowMs: number): Promise<number> {
  const id = await tx.insert(
    'INSERT INTO resource_providers (uuid, name, generation, parent_provider_id, root_provider_id, created_at) ' +
      'VALUES (?, ?, 0, ?, ?, ?)',
    [provider.uuid, provider.name, provider.parentId, provider.rootId, nowMs],
  );
  if (provider.rootId === null) {
    await tx.run('UPDATE resource_providers SET root_provider_id = ? WHERE id = ?', [id, id]);
  }
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

/**
 * Raises the generation of a provider that still has the expected one; answers whether it had. Holds the row until
 * commit. The one place where a generation that a client sent is compared.
 */
export async function compareAndRaise(tx: WriteTx, id: number, expected: number, nowMs: number): Promise<boolean> {
  const matched = await tx.run(
    'UPDATE resource_providers SET generation = generation + 1, updated_at = ? WHERE id = ? AND generation = ?',
    [nowMs, id, expected],
  );
  return matched === 1;
}

/** Raises generations without comparing; answers how many of the rows exist. Holds the rows, in the order of ids. */
export async function raiseGenerations(tx: WriteTx, ids: readonly number[], nowMs: number): Promise<number> {
  if (ids.length === 0) return 0;
  const sorted = [...ids].sort((a, b) => a - b);
  const raise = (part: readonly number[]): Promise<number> =>
    tx.run(
      'UPDATE resource_providers SET generation = generation + 1, updated_at = ? ' +
        `WHERE id IN (${marks(part.length)})`,
      [nowMs, ...part],
    );
  // Issued before this returns, so that it can share a round trip.
  if (sorted.length <= RAISED_PER_STATEMENT) return raise(sorted);
  let matched = 0;
  for (const part of chunks(sorted, RAISED_PER_STATEMENT)) matched += await raise(part);
  return matched;
}

/** The same for a group of writes: each provider rises by as many as raise it. */
export async function raiseGenerationsBy(
  tx: WriteTx,
  raises: ReadonlyMap<number, number>,
  nowMs: number,
): Promise<number> {
  const often = [...raises].filter(([, times]) => times > 1);
  const sorted = [...raises.keys()].sort((a, b) => a - b);
  if (often.length === 0) return raiseGenerations(tx, sorted, nowMs);
  return tx.run(
    `UPDATE resource_providers SET generation = generation + CASE id ${often.map(() => 'WHEN ? THEN ?').join(' ')} ` +
      `ELSE 1 END, updated_at = ? WHERE id IN (${marks(sorted.length)})`,
    [...often.flat(), nowMs, ...sorted],
  );
}

export interface ExpectedGeneration {
  readonly id: number;
  readonly uuid: Uuid;
  readonly generation: number;
}

/** The first provider whose generation is not the expected one, read without holding it. */
export async function firstStale<P extends ExpectedGeneration>(
  sql: SqlReader,
  expected: readonly P[],
): Promise<P | undefined> {
  const actual = new Map<number, number>();
  for (const part of chunks(expected, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<{ id: number; generation: number }>(
      `SELECT id, generation FROM resource_providers WHERE id IN (${marks(part.length)})`,
      part.map((each) => each.id),
    );
    for (const { id, generation } of rows) actual.set(id, generation);
  }
  return expected.find((each) => actual.get(each.id) !== each.generation);
}

/** Providers raised by one statement. */
const RAISED_PER_STATEMENT = 5_000;

/**
 * Raises some providers by comparison and others without, in the order of their ids; answers whether all comparisons
 * held and all rows exist.
 */
export async function raiseReshaped(
  tx: WriteTx,
  expected: readonly ExpectedGeneration[],
  others: readonly number[],
  nowMs: number,
): Promise<boolean> {
  const known = new Map(expected.map((each) => [each.id, each.generation]));
  const ids = [...new Set([...known.keys(), ...others])].sort((a, b) => a - b);
  let matched = 0;
  for (const part of chunks(ids, RAISED_PER_STATEMENT)) {
    const compared = part.filter((id) => known.has(id));
    const rest = part.filter((id) => !known.has(id));
    const conditions = [
      ...compared.map(() => '(id = ? AND generation = ?)'),
      ...(rest.length === 0 ? [] : [`id IN (${marks(rest.length)})`]),
    ];
    matched += await tx.run(
      `UPDATE resource_providers SET generation = generation + 1, updated_at = ? WHERE ${anyOf(conditions)}`,
      [nowMs, ...compared.flatMap((id) => [id, known.get(id) ?? 0]), ...rest],
    );
  }
  return matched === ids.length;
}

export async function generationOf(sql: SqlReader, id: number): Promise<number | undefined> {
  const [row] = await sql.query<{ generation: number }>('SELECT generation FROM resource_providers WHERE id = ?', [id]);
  return row?.generation;
}

export async function hasChildren(sql: SqlReader, id: number): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM resource_providers WHERE parent_provider_id = ? LIMIT 1', [id])).length > 0;
}

/** Removes the provider and what hangs on it; answers false, having removed nothing that counts, when it is in use. */
export async function deleteProvider(tx: WriteTx, id: number): Promise<boolean> {
  await tx.run('DELETE FROM inventories WHERE resource_provider_id = ? AND used = 0', [id]);
  const left = await tx.query('SELECT 1 FROM inventories WHERE resource_provider_id = ? LIMIT 1', [id]);
  if (left.length > 0) return false;
  await tx.run('DELETE FROM resource_provider_traits WHERE resource_provider_id = ?', [id]);
  await tx.run('DELETE FROM resource_provider_aggregates WHERE resource_provider_id = ?', [id]);
  await tx.run('DELETE FROM resource_providers WHERE id = ?', [id]);
  return true;
}
