// Instances in the database: one row per placed instance, with all data that a new placement needs. Also releases of
// instances that reports can still list.
import { StartOver } from '../../platform/database/database';
import type { SqlReader, Statement, WriteTx } from '../../platform/database/sql';
import { chunks, marks, queryAmong, runAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { addTo } from '../../platform/values/lists-by-key';
import type { Uuid } from '../../platform/values/uuid';
import type { Page, PageQuery, TextFilter } from '../registry-page';
import type { PageSource } from '../registry-page.sql';
import { equal, pageOf, selectPage } from '../registry-page.sql';
import type { PlacedInstance } from './instance.entity';
import { InstanceRecord, Release } from './instance.entity';
import { HAS_ALLOCATIONS, IS_PLACED } from './instances.writes';

export const INSTANCES = new Table(InstanceRecord);
/** Columns that every placement and every move writes. The name stays. */
const PLACED = INSTANCES.without('id', 'uuid', 'name', 'batchUuid', 'listedAtMs', 'createdAtMs', 'updatedAtMs');
const INSERTED = INSTANCES.without('id');
const READ = INSTANCES.without('batchUuid');

export const STATE =
  `CASE WHEN i.state = 'moving' THEN i.state WHEN NOT ${HAS_ALLOCATIONS} THEN 'released' ` +
  "WHEN i.state = 'released' THEN 'placed' ELSE i.state END";

const SELECT = `SELECT ${INSTANCES.without('batchUuid', 'state').of('i')}, ${STATE} AS state FROM scheduler_instances i`;
/** Selects the recorded state only. FOR UPDATE would also lock the rows of the allocations that `STATE` reads. */
const SELECT_RECORDED = `SELECT ${READ.of('i')} FROM scheduler_instances i`;
const SOURCE: PageSource = { select: SELECT, id: 'i.id', table: 'scheduler_instances', key: 'uuid' };
/** Small, because each row holds whole documents. */
const ROWS_PER_STATEMENT = 200;

type References = Pick<InstanceRecord, 'flavorId' | 'imageUuid'>;

/**
 * Writes rows that refer to flavors and images. If a flavor or image was deleted, the rows are written again without
 * the reference: the caller has copies of both documents. The database is queried only after the write failed, and each
 * attempt has fewer references than the one before.
 */
async function withReferencesLeft<R extends References, T>(
  tx: WriteTx,
  rows: readonly R[],
  write: (rows: readonly R[]) => Promise<T>,
): Promise<T> {
  for (let left = rows; ;) {
    try {
      return await write(left);
    } catch (error) {
      if (tx.dialect.classify(error) !== 'foreign-key') throw error;
      const existing = await existingReferences(tx, left);
      if (existing === left)
        throw new StartOver('a name in the instance was deleted and created again while it was recorded');
      left = existing;
    }
  }
}

/** The rows without references to deleted flavors and images. Returns the same array if all references exist. */
async function existingReferences<R extends References>(sql: SqlReader, rows: readonly R[]): Promise<readonly R[]> {
  const existing = async (table: string, column: string, property: keyof References) => {
    const keys = [...new Set(rows.map((row) => row[property]))].filter((key) => key !== null);
    const text = (among: string): string => `SELECT ${column} AS name FROM ${table} WHERE ${column} IN (${among})`;
    return new Set((await queryAmong<{ name: string }>(sql, keys, text)).map(({ name }) => name));
  };
  const flavors = await existing('flavors', 'flavor_id', 'flavorId');
  const images = await existing('images', 'uuid', 'imageUuid');
  const isLeft = (known: ReadonlySet<string>, key: string | null): boolean => key === null || known.has(key);
  const areLeft = ({ flavorId, imageUuid }: R): boolean => isLeft(flavors, flavorId) && isLeft(images, imageUuid);
  if (rows.every(areLeft)) return rows;
  return rows.map((row) => ({
    ...row,
    flavorId: isLeft(flavors, row.flavorId) ? row.flavorId : null,
    imageUuid: isLeft(images, row.imageUuid) ? row.imageUuid : null,
  }));
}

/**
 * Records placements without references to deleted flavors and images. Replaces an existing record of the instance: its
 * allocations were deleted through the Placement API.
 */
export async function insertPlaced(tx: WriteTx, rows: readonly PlacedInstance[], nowMs: number): Promise<void> {
  const replaced = INSERTED.names.filter((name) => name !== 'uuid' && name !== 'name');
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await withReferencesLeft(tx, part, (left) => {
      const { sql, params } = INSERTED.insert(left, { listedAtMs: null, createdAtMs: nowMs, updatedAtMs: null });
      return tx.run(sql + tx.dialect.onDuplicate('uuid', replaced), params);
    });
  }
}

/**
 * Records a new placement of the instance, which is then pending on its host again. Returns false if there is no such
 * instance. References to a deleted flavor or image are dropped.
 */
export async function updatePlaced(tx: WriteTx, placed: PlacedInstance, nowMs: number): Promise<boolean> {
  const text = `UPDATE scheduler_instances SET ${PLACED.assigned}, batch_uuid = NULL, listed_at = NULL, updated_at = ? WHERE uuid = ?`;
  const matched = await withReferencesLeft(tx, [placed], ([row = placed]) =>
    tx.run(text, [...PLACED.valuesOf(row), nowMs, row.uuid]),
  );
  return matched === 1;
}

const IMAGE = INSTANCES.only('image', 'imageUuid', 'request');

/** Instances keep the properties of the image. */
export async function forgetImage(tx: WriteTx, imageUuid: Uuid): Promise<void> {
  await tx.run('UPDATE scheduler_instances SET image_uuid = NULL WHERE image_uuid = ?', [imageUuid]);
}

/** The caller holds the row. A reference to a deleted image is dropped. */
export async function updateImage(
  tx: WriteTx,
  uuid: Uuid,
  change: Pick<InstanceRecord, 'image' | 'imageUuid' | 'request'>,
): Promise<void> {
  // Not written: `IMAGE` does not contain the flavor.
  const changed = { ...change, flavorId: null };
  await withReferencesLeft(tx, [changed], ([row = changed]) =>
    tx.run(`UPDATE scheduler_instances SET ${IMAGE.assigned} WHERE uuid = ?`, [...IMAGE.valuesOf(row), uuid]),
  );
}

/** The caller holds the row. */
export async function updateRequest(tx: WriteTx, uuid: Uuid, request: object): Promise<void> {
  await tx.run('UPDATE scheduler_instances SET request = ? WHERE uuid = ?', [JSON.stringify(request), uuid]);
}

/**
 * Instances of one request often have the same alternates. They share a statement, and all statements run in one batch.
 */
export async function updateAlternates(
  tx: WriteTx,
  offers: readonly { readonly instanceUuid: Uuid; readonly alternates: readonly object[] }[],
): Promise<void> {
  const alike = new Map<readonly object[], Uuid[]>();
  for (const { instanceUuid, alternates } of offers) addTo(alike, alternates, instanceUuid);
  const updates: Statement[] = [];
  for (const [alternates, uuids] of alike) {
    const text = JSON.stringify(alternates);
    for (const part of chunks(uuids.sort(), ROWS_PER_STATEMENT)) {
      const where = `uuid IN (${marks(part.length)})`;
      const sql = `UPDATE scheduler_instances SET alternates = ? WHERE ${where}`;
      updates.push({ sql, params: [text, ...part] });
    }
  }
  await tx.batch(updates);
}

/** Instances with the mark of this batch, sorted by uuid. */
export async function findOfBatch(sql: SqlReader, batchUuid: Uuid, limit: number): Promise<readonly Uuid[]> {
  const rows = await sql.query<{ uuid: Uuid }>(
    `SELECT uuid FROM scheduler_instances WHERE batch_uuid = ? ORDER BY uuid LIMIT ${limit}`,
    [batchUuid],
  );
  return rows.map(({ uuid }) => uuid);
}

export async function findOfGroup(sql: SqlReader, groupUuid: Uuid): Promise<readonly Uuid[]> {
  const rows = await sql.query<{ uuid: Uuid }>(
    `SELECT i.uuid FROM scheduler_instances i WHERE i.group_uuid = ? AND ${HAS_ALLOCATIONS}`,
    [groupUuid],
  );
  return rows.map(({ uuid }) => uuid);
}

/** A placement for a server group. */
export interface GroupPlacement {
  readonly uuid: Uuid;
  readonly host: string;
  readonly placedAtMs: number;
}

/**
 * Since a time, also without allocations in this database. The cleanup of released instances changes `updated_at` of such
 * placements, so it is not read.
 */
export async function findRecentOfGroup(
  sql: SqlReader,
  groupUuid: Uuid,
  sinceMs: number,
): Promise<readonly GroupPlacement[]> {
  const rows = await sql.query<{ uuid: Uuid; host: string; placed_at: number | string }>(
    'SELECT uuid, host, created_at AS placed_at FROM scheduler_instances WHERE group_uuid = ? AND created_at >= ?',
    [groupUuid, sinceMs],
  );
  return rows.map(({ uuid, host, placed_at: at }) => ({ uuid, host, placedAtMs: Number(at) }));
}

export function remove(tx: WriteTx, uuids: readonly Uuid[]): Promise<number> {
  return runAmong(tx, uuids, (among) => `DELETE FROM scheduler_instances WHERE uuid IN (${among})`);
}

export async function rename(tx: WriteTx, uuid: Uuid, name: string): Promise<void> {
  await tx.run('UPDATE scheduler_instances SET name = ? WHERE uuid = ?', [name, uuid]);
}

export async function findInstance(sql: SqlReader, uuid: Uuid): Promise<InstanceRecord | undefined> {
  return (await findInstances(sql, [uuid])).get(uuid);
}

export async function findInstances(
  sql: SqlReader,
  uuids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
  return byUuid(await queryAmong<object>(sql, uuids, (among) => `${SELECT} WHERE i.uuid IN (${among})`));
}

const byUuid = (rows: readonly object[]): ReadonlyMap<Uuid, InstanceRecord> =>
  new Map(rows.map((row) => INSTANCES.read(row)).map((record) => [record.uuid, record]));

/** Same as `findInstances`, but locks the rows until commit, in the order of uuids. */
export async function holdInstances(tx: WriteTx, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
  const text = (among: string): string =>
    `${SELECT_RECORDED} WHERE i.uuid IN (${among}) ORDER BY i.uuid${tx.dialect.forUpdate}`;
  return byUuid(await queryAmong<object>(tx, [...uuids].sort(), text));
}

type FilterColumn = 'host' | 'node' | 'projectId' | 'userId' | 'flavorId' | 'imageUuid' | 'groupUuid' | 'requestId';
export type InstanceFilter = TextFilter<FilterColumn | 'state'>;

export async function listInstances(
  sql: SqlReader,
  { state, ...columns }: InstanceFilter,
  page: PageQuery,
): Promise<Page<InstanceRecord>> {
  const names = Object.keys(columns) as FilterColumn[];
  const conditions = names.flatMap((name) => equal({ [`i.${INSTANCES.nameOf(name)}`]: columns[name] }));
  // Released instances are listed only if the filter asks for them.
  if (state !== 'released') conditions.push([IS_PLACED, []]);
  if (state !== undefined) conditions.push([`${STATE} = ?`, [state]]);
  const records = await selectPage(sql, SOURCE, conditions, page, (row: object) => INSTANCES.read(row));
  return pageOf(records, ({ uuid }) => uuid);
}

const COPIED = new Table(Release).without('id', 'releasedAtMs');

/**
 * Records the release of each instance that a report has listed; the record stays until a report no longer lists it.
 * Other instances need no such record.
 */
export async function rememberReleases(tx: WriteTx, uuids: readonly Uuid[], nowMs: number): Promise<void> {
  const copied = COPIED.names.join(', ');
  const text = (among: string): string =>
    `INSERT INTO scheduler_releases (${copied}, released_at) ` +
    `SELECT ${copied}, ? FROM scheduler_instances WHERE listed_at IS NOT NULL AND uuid IN (${among})` +
    tx.dialect.onDuplicate('uuid, host, node', ['released_at']);
  await runAmong(tx, uuids, text, { before: [nowMs] });
}

/** Ids of the services of these hosts. Hosts without a service are missing from the result. */
export async function serviceIds(sql: SqlReader, hosts: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const text = (among: string): string => `SELECT id, host FROM scheduler_services WHERE host IN (${among})`;
  const rows = await queryAmong<{ id: number; host: string }>(sql, [...new Set(hosts)], text);
  return new Map(rows.map(({ id, host }) => [host, id]));
}
