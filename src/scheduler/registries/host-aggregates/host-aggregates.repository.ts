// Host aggregates in the database. Writers hold the lock of all host aggregates first (registry-locks.repository.ts).
import { DATABASE_LIMITS } from '../../../config/limits';
import { chunks, marks, rowMarks } from '../../../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import { loadHostAggregates } from '../host-facts.loader';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';

export interface HostAggregateDocument {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** In the order of names. */
  readonly hosts: readonly string[];
  readonly generation: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
}

interface Row {
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
  readonly generation: number;
  readonly created_at: number;
  readonly updated_at: number | null;
}

const SELECT = 'SELECT a.id, a.uuid, a.name, a.generation, a.created_at, a.updated_at FROM host_aggregates a';
const SOURCE: PageSource = { select: SELECT, id: 'a.id', table: 'host_aggregates', key: 'uuid' };

async function whole(sql: SqlReader, rows: readonly Row[]): Promise<readonly HostAggregateDocument[]> {
  if (rows.length === 0) return [];
  const facts = await loadHostAggregates(
    sql,
    rows.map((row) => row.id),
  );
  const found = new Map(facts.map((each) => [each.id, each]));
  return rows.map((row) => ({
    id: row.id,
    uuid: row.uuid,
    name: row.name,
    metadata: found.get(row.id)?.metadata ?? {},
    hosts: [...(found.get(row.id)?.hosts ?? [])].sort(),
    generation: row.generation,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  }));
}

export async function findAggregate(sql: SqlReader, uuid: Uuid): Promise<HostAggregateDocument | undefined> {
  return (await whole(sql, await sql.query<Row>(`${SELECT} WHERE a.uuid = ?`, [uuid])))[0];
}

export interface AggregateFilter {
  readonly name?: string | undefined;
  readonly host?: string | undefined;
  readonly zone?: string | undefined;
}

export async function listAggregates(
  sql: SqlReader,
  filter: AggregateFilter,
  page: PageQuery,
): Promise<Page<HostAggregateDocument>> {
  const conditions: Condition[] = [];
  if (filter.name !== undefined) conditions.push(['a.name = ?', [filter.name]]);
  if (filter.host !== undefined) {
    conditions.push([
      'EXISTS (SELECT 1 FROM host_aggregate_hosts ah WHERE ah.aggregate_id = a.id AND ah.host = ?)',
      [filter.host],
    ]);
  }
  if (filter.zone !== undefined) {
    conditions.push([
      'EXISTS (SELECT 1 FROM host_aggregate_metadata m WHERE m.aggregate_id = a.id ' +
        "AND m.name = 'availability_zone' AND m.value = ?)",
      [filter.zone],
    ]);
  }
  const rows = await selectPage<Row>(sql, SOURCE, conditions, page);
  const { items, next } = pageOf(
    rows,
    page.limit,
    (row) => row,
    (row) => row.uuid,
  );
  return { items: await whole(sql, items), next };
}

/** Fails on a duplicate uuid or name. */
export function insertAggregate(
  tx: WriteTx,
  aggregate: { readonly uuid: Uuid; readonly name: string },
  nowMs: number,
): Promise<number> {
  return tx.insert('INSERT INTO host_aggregates (uuid, name, created_at) VALUES (?, ?, ?)', [
    aggregate.uuid,
    aggregate.name,
    nowMs,
  ]);
}

/** Names it and raises its generation. Fails on a duplicate name. */
export async function touchAggregate(tx: WriteTx, id: number, name: string, nowMs: number): Promise<void> {
  await tx.run('UPDATE host_aggregates SET name = ?, generation = generation + 1, updated_at = ? WHERE id = ?', [
    name,
    nowMs,
    id,
  ]);
}

/** The aggregate has exactly this metadata afterwards. */
export async function replaceMetadata(
  tx: WriteTx,
  id: number,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.run('DELETE FROM host_aggregate_metadata WHERE aggregate_id = ?', [id]);
  for (const part of chunks(Object.entries(metadata), DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO host_aggregate_metadata (aggregate_id, name, value) VALUES ${rowMarks(part.length, 3)}`,
      part.flatMap(([name, value]): SqlValue[] => [id, name, value]),
    );
  }
}

export async function addHosts(tx: WriteTx, id: number, hosts: readonly string[]): Promise<void> {
  for (const part of chunks(hosts, DATABASE_LIMITS.rowsPerInsert)) {
    await tx.run(
      `INSERT INTO host_aggregate_hosts (aggregate_id, host) VALUES ${rowMarks(part.length, 2)}`,
      part.flatMap((host): SqlValue[] => [id, host]),
    );
  }
}

export async function removeHosts(tx: WriteTx, id: number, hosts: readonly string[]): Promise<void> {
  for (const part of chunks(hosts, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(`DELETE FROM host_aggregate_hosts WHERE aggregate_id = ? AND host IN (${marks(part.length)})`, [
      id,
      ...part,
    ]);
  }
}

/** Removes an aggregate without hosts, and its metadata. */
export async function deleteAggregate(tx: WriteTx, id: number): Promise<void> {
  await tx.run('DELETE FROM host_aggregate_metadata WHERE aggregate_id = ?', [id]);
  await tx.run('DELETE FROM host_aggregates WHERE id = ?', [id]);
}

/** The first host, among those of one aggregate, that is in more than one zone. */
export async function hostInTwoZones(
  sql: SqlReader,
  aggregateId: number,
): Promise<{ readonly host: string; readonly zones: readonly string[] } | undefined> {
  const rows = await sql.query<{ host: string; value: string }>(
    'SELECT DISTINCT o.host, m.value FROM host_aggregate_hosts o ' +
      'JOIN host_aggregate_hosts ah ON ah.host = o.host JOIN host_aggregate_metadata m ' +
      "ON m.aggregate_id = ah.aggregate_id AND m.name = 'availability_zone' WHERE o.aggregate_id = ? AND o.host IN " +
      '(SELECT twice.host FROM host_aggregate_hosts twice JOIN host_aggregate_metadata z ' +
      "ON z.aggregate_id = twice.aggregate_id AND z.name = 'availability_zone' " +
      'GROUP BY twice.host HAVING COUNT(DISTINCT z.value) > 1) ORDER BY o.host, m.value',
    [aggregateId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  return { host: first.host, zones: rows.filter(({ host }) => host === first.host).map(({ value }) => value) };
}
