// Loads the scheduler's facts about hosts: all of them, or only the services and host aggregates named in the change
// log. Set-based: the number of statements depends on the number of id chunks, not on the number of dependent rows.
import { hasAllocations, hasAllocationsInTree } from '../placement/consumers/consumers.sql';
import { DATABASE_LIMITS } from '../platform/config/limits/database';
import type { SqlReader } from '../platform/database/sql';
import { chunks, marks, queryAmong } from '../platform/database/sql';
import { Table } from '../platform/database/table';
import { addTo } from '../platform/values/lists-by-key';
import { compareText } from '../platform/values/text-order';
import type {
  HostAggregateFacts,
  HostFacts,
  PendingInstance,
  ReleasedInstance,
  ServiceFacts,
} from '../scheduling-rules/host-state/host-facts';
import { HostAggregateHost, HostAggregateMetadata, RegisteredAggregate } from './host-aggregates/host-aggregate.entity';
import { hostReportOf } from './hosts/host-report';
import { ReportedHost } from './hosts/host.entity';
import type { HostReportDto } from './hosts/hosts.schema';
import { InstanceRecord, MoveRecord, Release } from './instances/instance.entity';
import { ComputeService } from './services/service.entity';

type Ids = readonly number[];

const SERVICE = new Table(ComputeService).without('generation', 'refusedAtMs', 'refusal');
const HOST = new Table(ReportedHost).without(
  'mirroredProviderId',
  'reportDigest',
  'generation',
  'createdAtMs',
  'updatedAtMs',
);
const PENDING = new Table(InstanceRecord).only(
  'uuid',
  'node',
  'hostUuid',
  'projectId',
  'flavor',
  'image',
  'isBfv',
  'numaTopology',
  'pciRequests',
);
const RELEASED = new Table(Release).without('id', 'host');
const MOVE = new Table(MoveRecord).only('source');

/** A row that belongs to a service. */
interface OfService {
  readonly service_id: number;
}

interface PendingRow extends OfService {
  readonly placed_at: number;
  readonly listed_at: number | null;
}

interface Loaded {
  readonly facts: ServiceFacts;
  readonly hosts: HostFacts[];
  readonly pending: PendingInstance[];
  readonly released: ReleasedInstance[];
}

/**
 * The services with these ids, or all services, sorted by id. An id that is missing from the result no longer exists.
 */
export async function loadServices(sql: SqlReader, ids: Ids | null): Promise<readonly ServiceFacts[]> {
  const services = new Map<number, Loaded>();
  await eachOf<object>(sql, SERVICES, 's.id', ids, (row) => {
    const [hosts, pending, released]: [HostFacts[], PendingInstance[], ReleasedInstance[]] = [[], [], []];
    const { rowId: id, host, ...service } = SERVICE.read(row);
    services.set(id, { facts: { id, host, service, hosts, pending, released }, hosts, pending, released });
  });
  await eachOf<object>(sql, HOSTS, 'h.service_id', ids, (row) => {
    const { serviceId, report, ...host } = HOST.read(row);
    const hosts = services.get(serviceId)?.hosts;
    hosts?.push({ ...host, report: hostReportOf(JSON.parse(report) as HostReportDto) });
  });
  await eachOf<PendingRow>(sql, PLACED, 's.id', ids, (row) => {
    if (row.listed_at !== null) return;
    services.get(row.service_id)?.pending.push({ ...PENDING.read(row), placedAtMs: row.placed_at });
  });
  await eachOf<OfService>(sql, movesFrom(sql), 's.id', ids, (row) => {
    const { source } = MOVE.read(row);
    const placedAtMs = source.updatedAtMs ?? source.createdAtMs;
    services.get(row.service_id)?.pending.push({ ...source, placedAtMs });
  });
  await eachOf<OfService>(sql, releasesOn(sql), 's.id', ids, (row) =>
    services.get(row.service_id)?.released.push(RELEASED.read(row)),
  );
  return inOrderOfIds(services);
}

const SERVICES = `SELECT ${SERVICE.of('s')} FROM scheduler_services s WHERE 1 = 1`;
const HOSTS = `SELECT ${HOST.of('h')} FROM scheduler_hosts h WHERE 1 = 1`;
const PLACED =
  `SELECT s.id AS service_id, ${PENDING.of('i')}, COALESCE(i.updated_at, i.created_at) AS placed_at, i.listed_at ` +
  'FROM scheduler_services s ' +
  // Skips a consumer without allocations: a client released it through the Placement API.
  'JOIN scheduler_instances i ON i.host = s.host ' +
  // Most instances are listed in a report. One row in 500 of those is read too: reading it lets the loader yield.
  `WHERE (i.listed_at IS NULL OR i.id % 500 = 0) AND ${hasAllocations('i.uuid')}`;
/** During a move the source host still holds the instance, which its report does not have to list yet. */
const movesFrom = ({ dialect }: SqlReader): string =>
  `SELECT s.id AS service_id, ${MOVE.of('m')} FROM scheduler_moves m ` +
  'JOIN scheduler_instances i ON i.uuid = m.instance_uuid ' +
  `JOIN scheduler_services s ON s.host = ${dialect.jsonText('m.source', 'host')} AND s.host <> i.host ` +
  `WHERE ${hasAllocations('m.migration_uuid')}`;
/** An instance that was placed there again is not released, and stays until the end of a move from there. */
const releasesOn = ({ dialect }: SqlReader): string =>
  `SELECT s.id AS service_id, ${RELEASED.of('r')} FROM scheduler_services s ` +
  'JOIN scheduler_releases r ON r.host = s.host WHERE ' +
  'NOT EXISTS (SELECT 1 FROM scheduler_instances i WHERE i.uuid = r.uuid AND i.host = r.host AND i.node = r.node) ' +
  `AND NOT EXISTS (SELECT 1 FROM scheduler_moves m WHERE m.instance_uuid = r.uuid AND ${dialect.jsonText('m.source', 'host')} = r.host)`;

const PLACED_ON = `SELECT ${PENDING.of('i')}, i.host, COALESCE(i.updated_at, i.created_at) AS placed_at FROM scheduler_instances i`;

/**
 * Placements on these hosts since a time, by host. The hosts need no registered service. An instance that has left its
 * host by the Placement API is skipped, unless its allocations are in another database (`areElsewhere`).
 */
export async function loadPlacementsOn(
  sql: SqlReader,
  hosts: readonly string[],
  sinceMs: number,
  { areElsewhere = false }: { readonly areElsewhere?: boolean } = {},
): Promise<ReadonlyMap<string, readonly PendingInstance[]>> {
  const found = new Map<string, PendingInstance[]>();
  const isThere = areElsewhere ? '1 = 1' : hasAllocationsInTree('i.uuid', 'i.host_uuid');
  const text = (among: string): string =>
    `${PLACED_ON} WHERE COALESCE(i.updated_at, i.created_at) >= ? AND ${isThere} AND i.host IN (${among})`;
  const rows = await queryAmong<{ host: string; placed_at: number }>(sql, hosts, text, { before: [sinceMs] });
  for (const row of rows) addTo(found, row.host, { ...PENDING.read(row), placedAtMs: row.placed_at });
  return found;
}

function inOrderOfIds<F extends { readonly id: number }>(
  found: ReadonlyMap<number, { readonly facts: F }>,
): readonly F[] {
  return [...found.values()].map(({ facts }) => facts).sort((one, other) => one.id - other.id);
}

/** Reads in index order, without ORDER BY: SQLite sorts a result in one step, which blocks the event loop. */
async function eachOf<R>(
  sql: SqlReader,
  select: string,
  key: string,
  ids: Ids | null,
  take: (row: R) => void,
): Promise<void> {
  if (ids === null) return sql.each<R>(select, [], take);
  for (const part of chunks(ids, DATABASE_LIMITS.idsPerStatement)) {
    await sql.each<R>(`${select} AND ${key} IN (${marks(part.length)})`, part, take);
  }
}

const AGGREGATE = new Table(RegisteredAggregate).only('rowId', 'uuid', 'name');
const AGGREGATES = `SELECT ${AGGREGATE.of('a')} FROM host_aggregates a WHERE 1 = 1`;
const PAIR = new Table(HostAggregateMetadata);
const METADATA = `SELECT ${PAIR.all.of('m')} FROM host_aggregate_metadata m WHERE 1 = 1`;
const MEMBER = new Table(HostAggregateHost);
const MEMBERS = `SELECT ${MEMBER.all.of('h')} FROM host_aggregate_hosts h WHERE 1 = 1`;

/** The host aggregates with these ids, or all, sorted by id. An id that is missing from the result no longer exists. */
export async function loadHostAggregates(sql: SqlReader, ids: Ids | null): Promise<readonly HostAggregateFacts[]> {
  const found = new Map<number, { metadata: Record<string, string>; hosts: string[]; facts: HostAggregateFacts }>();
  await eachOf<object>(sql, AGGREGATES, 'id', ids, (row) => {
    const { rowId: id, uuid, name } = AGGREGATE.read(row);
    // A metadata key can be any text, so the object must not inherit properties.
    const metadata = Object.create(null) as Record<string, string>;
    const hosts: string[] = [];
    found.set(id, { metadata, hosts, facts: { id, uuid, name, metadata, hosts } });
  });
  await eachOf<object>(sql, METADATA, 'aggregate_id', ids, (row) => {
    const { aggregateId: id, name, value } = PAIR.read(row);
    const metadata = found.get(id)?.metadata;
    if (metadata !== undefined) metadata[name] = value;
  });
  await eachOf<object>(sql, MEMBERS, 'aggregate_id', ids, (row) => {
    const { aggregateId, host } = MEMBER.read(row);
    found.get(aggregateId)?.hosts.push(host);
  });
  // A table and its index are ordered differently; sorting gives both ways of loading the same result.
  for (const { hosts } of found.values()) hosts.sort(compareText);
  return inOrderOfIds(found);
}
