// What Berth placed, in the database: one row per instance with all that is needed to place it again, and what it
// released that reports may still list.
import { DATABASE_LIMITS } from '../../../config/limits';
import { chunks, marks, rowMarks } from '../../../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';

/** A placement. Documents are plain JSON values; null where there is none. */
export interface PlacedInstance {
  readonly uuid: Uuid;
  /** The service host. */
  readonly host: string;
  readonly node: string;
  /** The root provider. */
  readonly hostUuid: Uuid;
  readonly cell: string | null;
  readonly projectId: string;
  readonly userId: string;
  readonly flavor: unknown;
  /** Id of the registered flavor; null when it was given inline. It cannot go while the instance is here. */
  readonly flavorId: string | null;
  readonly image: unknown;
  /** The registered image; null when there is none or it was given inline. */
  readonly imageUuid: Uuid | null;
  readonly groupUuid: Uuid | null;
  /** Of the decision. */
  readonly requestId: string;
  readonly isBfv: boolean;
  /** As fitted to the host's cells and devices. */
  readonly numaTopology: unknown;
  readonly pciRequests: unknown;
  readonly state: string;
  readonly attempts: number;
  readonly alternates: unknown;
  readonly tried: unknown;
  readonly request: unknown;
  /** Marks what one request claimed, so that it can be undone; null: it is not to be. */
  readonly batchUuid?: Uuid | null;
}

export interface InstanceRecord extends PlacedInstance {
  readonly id: number;
  /** When a report of the host first listed it; null: pending. */
  readonly listedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
}

interface Row {
  readonly id: number;
  readonly uuid: Uuid;
  readonly host: string;
  readonly node: string;
  readonly host_uuid: Uuid;
  readonly cell: string | null;
  readonly project_id: string;
  readonly user_id: string;
  readonly flavor: string;
  readonly flavor_id: string | null;
  readonly image: string | null;
  readonly image_uuid: Uuid | null;
  readonly group_uuid: Uuid | null;
  readonly request_id: string;
  readonly is_bfv: number;
  readonly numa_topology: string | null;
  readonly pci_requests: string | null;
  readonly state: string;
  readonly attempts: number;
  readonly alternates: string;
  readonly tried: string;
  readonly request: string;
  readonly listed_at: number | null;
  readonly created_at: number;
  readonly updated_at: number | null;
}

/** Written at every placement and every move. */
const PLACED = [
  'host',
  'node',
  'host_uuid',
  'cell',
  'project_id',
  'user_id',
  'flavor',
  'flavor_id',
  'image',
  'image_uuid',
  'group_uuid',
  'request_id',
  'is_bfv',
  'numa_topology',
  'pci_requests',
  'state',
  'attempts',
  'alternates',
  'tried',
  'request',
] as const;

const text = (value: unknown): string | null => (value === null || value === undefined ? null : JSON.stringify(value));
const parsed = (value: string | null): unknown => (value === null ? null : (JSON.parse(value) as unknown));

const placedOf = (instance: PlacedInstance): readonly SqlValue[] => [
  instance.host,
  instance.node,
  instance.hostUuid,
  instance.cell,
  instance.projectId,
  instance.userId,
  JSON.stringify(instance.flavor),
  instance.flavorId,
  text(instance.image),
  instance.imageUuid,
  instance.groupUuid,
  instance.requestId,
  instance.isBfv ? 1 : 0,
  text(instance.numaTopology),
  text(instance.pciRequests),
  instance.state,
  instance.attempts,
  text(instance.alternates) ?? '[]',
  text(instance.tried) ?? '[]',
  text(instance.request) ?? 'null',
];

const toRecord = (row: Row): InstanceRecord => ({
  id: row.id,
  uuid: row.uuid,
  host: row.host,
  node: row.node,
  hostUuid: row.host_uuid,
  cell: row.cell,
  projectId: row.project_id,
  userId: row.user_id,
  flavor: parsed(row.flavor),
  flavorId: row.flavor_id,
  image: parsed(row.image),
  imageUuid: row.image_uuid,
  groupUuid: row.group_uuid,
  requestId: row.request_id,
  isBfv: row.is_bfv === 1,
  numaTopology: parsed(row.numa_topology),
  pciRequests: parsed(row.pci_requests),
  state: row.state,
  attempts: row.attempts,
  alternates: parsed(row.alternates),
  tried: parsed(row.tried),
  request: parsed(row.request),
  listedAtMs: row.listed_at,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
});

const SELECT = `SELECT i.id, i.uuid, ${PLACED.map((column) => `i.${column}`).join(', ')}, i.listed_at, i.created_at, i.updated_at FROM scheduler_instances i`;
const SOURCE: PageSource = { select: SELECT, id: 'i.id', table: 'scheduler_instances', key: 'uuid' };
/** A row carries whole documents. */
const ROWS_PER_STATEMENT = 200;

/**
 * Records placements. Fails on a foreign key when the flavor or image is gone. A record that is there already is of a
 * consumer whose allocations somebody removed without a word to the scheduler; the new placement takes its place.
 */
export async function insertPlaced(tx: WriteTx, rows: readonly PlacedInstance[], nowMs: number): Promise<void> {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await tx.run(
      `INSERT INTO scheduler_instances (uuid, ${PLACED.join(', ')}, batch_uuid, listed_at, created_at) ` +
        `VALUES ${rowMarks(part.length, PLACED.length + 4)}` +
        tx.dialect.onDuplicate('uuid', [...PLACED, 'batch_uuid', 'listed_at', 'created_at']),
      part.flatMap((row): SqlValue[] => [row.uuid, ...placedOf(row), row.batchUuid ?? null, null, nowMs]),
    );
  }
}

/**
 * The instance is placed anew: it is pending on its host again, and counts from now. Answers whether there is such an
 * instance.
 */
export async function updatePlaced(tx: WriteTx, row: PlacedInstance, nowMs: number): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE scheduler_instances SET ${PLACED.map((column) => `${column} = ?`).join(', ')}, batch_uuid = NULL, ` +
      'listed_at = NULL, updated_at = ? WHERE uuid = ?',
    [...placedOf(row), nowMs, row.uuid],
  );
  return matched === 1;
}

/** Instances of one request are mostly offered the same hosts: those share a statement, and all share round trips. */
export async function updateAlternates(
  tx: WriteTx,
  offers: readonly { readonly instanceUuid: Uuid; readonly alternates: readonly object[] }[],
): Promise<void> {
  const alike = new Map<readonly object[], Uuid[]>();
  for (const { instanceUuid, alternates } of offers) {
    const known = alike.get(alternates);
    if (known === undefined) alike.set(alternates, [instanceUuid]);
    else known.push(instanceUuid);
  }
  const updates: Promise<number>[] = [];
  for (const [alternates, uuids] of alike) {
    const text = JSON.stringify(alternates);
    for (const part of chunks(uuids.sort(), ROWS_PER_STATEMENT)) {
      const where = `uuid IN (${marks(part.length)})`;
      updates.push(tx.run(`UPDATE scheduler_instances SET alternates = ? WHERE ${where}`, [text, ...part]));
    }
  }
  await Promise.all(updates);
}

/** Instances that bear the mark of a batch, the first ones by uuid. */
export async function findOfBatch(sql: SqlReader, batchUuid: Uuid, limit: number): Promise<readonly Uuid[]> {
  const rows = await sql.query<{ uuid: Uuid }>(
    `SELECT uuid FROM scheduler_instances WHERE batch_uuid = ? ORDER BY uuid LIMIT ${limit}`,
    [batchUuid],
  );
  return rows.map(({ uuid }) => uuid);
}

export async function remove(tx: WriteTx, uuids: readonly Uuid[]): Promise<number> {
  let removed = 0;
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    removed += await tx.run(`DELETE FROM scheduler_instances WHERE uuid IN (${marks(part.length)})`, part);
  }
  return removed;
}

export async function findInstance(sql: SqlReader, uuid: Uuid): Promise<InstanceRecord | undefined> {
  return (await findInstances(sql, [uuid])).get(uuid);
}

export async function findInstances(
  sql: SqlReader,
  uuids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
  const found = new Map<Uuid, InstanceRecord>();
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<Row>(`${SELECT} WHERE i.uuid IN (${marks(part.length)})`, part);
    for (const row of rows) found.set(row.uuid, toRecord(row));
  }
  return found;
}

/** The same, held until commit, in the order of uuids. */
export async function holdInstances(tx: WriteTx, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, InstanceRecord>> {
  const found = new Map<Uuid, InstanceRecord>();
  for (const part of chunks([...uuids].sort(), DATABASE_LIMITS.idsPerStatement)) {
    const rows = await tx.query<Row>(
      `${SELECT} WHERE i.uuid IN (${marks(part.length)}) ORDER BY i.uuid${tx.dialect.forUpdate}`,
      part,
    );
    for (const row of rows) found.set(row.uuid, toRecord(row));
  }
  return found;
}

export interface InstanceFilter {
  readonly host?: string | undefined;
  readonly node?: string | undefined;
  readonly projectId?: string | undefined;
  readonly userId?: string | undefined;
  readonly flavor?: string | undefined;
  readonly image?: Uuid | undefined;
  readonly group?: Uuid | undefined;
  readonly requestId?: string | undefined;
  readonly state?: string | undefined;
}

export async function listInstances(
  sql: SqlReader,
  filter: InstanceFilter,
  page: PageQuery,
): Promise<Page<InstanceRecord>> {
  const asked: readonly (readonly [column: string, value: string | undefined])[] = [
    ['host', filter.host],
    ['node', filter.node],
    ['project_id', filter.projectId],
    ['user_id', filter.userId],
    ['flavor_id', filter.flavor],
    ['image_uuid', filter.image],
    ['group_uuid', filter.group],
    ['request_id', filter.requestId],
    ['state', filter.state],
  ];
  const conditions = asked.flatMap(([column, value]): Condition[] =>
    value === undefined ? [] : [[`i.${column} = ?`, [value]]],
  );
  const rows = await selectPage<Row>(sql, SOURCE, conditions, page);
  return pageOf(rows, page.limit, toRecord, (row) => row.uuid);
}

/** Whether anything is placed on a host, or on one of its nodes. */
export async function hasInstancesOn(sql: SqlReader, host: string, node?: string): Promise<boolean> {
  const [text, params] = node === undefined ? ['', [host]] : [' AND node = ?', [host, node]];
  return (await sql.query(`SELECT 1 FROM scheduler_instances WHERE host = ?${text} LIMIT 1`, params)).length > 0;
}

/** A report lists these instances: they are pending no longer. */
export async function markListed(
  tx: WriteTx,
  place: { readonly host: string; readonly node: string },
  uuids: readonly Uuid[],
  nowMs: number,
): Promise<void> {
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(
      'UPDATE scheduler_instances SET listed_at = ? WHERE host = ? AND node = ? AND listed_at IS NULL ' +
        `AND uuid IN (${marks(part.length)})`,
      [nowMs, place.host, place.node, ...part],
    );
  }
}

/**
 * Remembers releases of instances that a report has listed, until a report lists them no longer. What no report has
 * listed is simply not there any more.
 */
export async function rememberReleases(tx: WriteTx, uuids: readonly Uuid[], nowMs: number): Promise<void> {
  for (const part of chunks(uuids, DATABASE_LIMITS.idsPerStatement)) {
    const copied = 'uuid, host, node, flavor, is_bfv, numa_topology, pci_requests';
    await tx.run(
      `INSERT INTO scheduler_releases (${copied}, released_at) ` +
        `SELECT ${copied}, ? FROM scheduler_instances WHERE listed_at IS NOT NULL AND uuid IN (${marks(part.length)})` +
        tx.dialect.onDuplicate('uuid, host, node', ['released_at']),
      [nowMs, ...part],
    );
  }
}

/** Forgets releases that the newest report of the host lists no longer. */
export async function forgetReleases(
  tx: WriteTx,
  place: { readonly host: string; readonly node: string },
  stillListed: ReadonlySet<Uuid>,
): Promise<void> {
  const rows = await tx.query<{ id: number; uuid: Uuid }>(
    'SELECT id, uuid FROM scheduler_releases WHERE host = ? AND node = ?',
    [place.host, place.node],
  );
  const gone = rows.filter(({ uuid }) => !stillListed.has(uuid)).map(({ id }) => id);
  for (const part of chunks(gone, DATABASE_LIMITS.idsPerStatement)) {
    await tx.run(`DELETE FROM scheduler_releases WHERE id IN (${marks(part.length)})`, part);
  }
}

/** Forgets everything released on a host, or on one of its nodes. */
export async function forgetReleasesOn(tx: WriteTx, host: string, node?: string): Promise<void> {
  const [text, params] = node === undefined ? ['', [host]] : [' AND node = ?', [host, node]];
  await tx.run(`DELETE FROM scheduler_releases WHERE host = ?${text}`, params);
}

/** Ids of the services of these hosts, of those that have one. */
export async function serviceIds(sql: SqlReader, hosts: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const part of chunks([...new Set(hosts)], DATABASE_LIMITS.idsPerStatement)) {
    const rows = await sql.query<{ id: number; host: string }>(
      `SELECT id, host FROM scheduler_services WHERE host IN (${marks(part.length)})`,
      part,
    );
    for (const { id, host } of rows) ids.set(host, id);
  }
  return ids;
}
