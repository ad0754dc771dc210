// Loads what the scheduler keeps of hosts: all of it, or the services and host aggregates that the change log names.
// Set-based: the number of statements depends on the number of chunks of ids, never on what hangs on them.
import { DATABASE_LIMITS } from '../../config/limits';
import { chunks, marks } from '../../database/sql';
import type { SqlReader } from '../../database/sql';
import { hostReportOf } from '../host-state/host-facts';
import type {
  HostAggregateFacts,
  HostFacts,
  HostReportBody,
  PendingInstance,
  ReleasedInstance,
  ServiceFacts,
} from '../host-state/host-facts';

type Ids = readonly number[];

interface ServiceRow {
  readonly id: number;
  readonly host: string;
  readonly disabled: number;
  readonly disabled_reason: string | null;
  readonly forced_down: number;
  readonly last_seen_up: number | null;
  readonly created_at: number;
}

interface HostRow {
  readonly id: number;
  readonly service_id: number;
  readonly node: string;
  readonly uuid: string | null;
  readonly cell: string | null;
  readonly service_version: number;
  readonly report: string;
  readonly reported_at: number;
}

interface ReleaseRow {
  readonly service_id: number;
  readonly uuid: string;
  readonly node: string;
  readonly flavor: string;
  readonly is_bfv: number;
  readonly numa_topology: string | null;
  readonly pci_requests: string | null;
  readonly released_at: number;
}

interface PendingRow extends Omit<ReleaseRow, 'released_at'> {
  readonly host_uuid: string;
  readonly project_id: string;
  readonly image: string | null;
  readonly created_at: number;
}

interface Loaded {
  readonly facts: ServiceFacts;
  readonly hosts: HostFacts[];
  readonly pending: PendingInstance[];
  readonly released: ReleasedInstance[];
}

/** The services with these ids, or all; an id that is missing from the answer is gone. In the order of ids. */
export async function loadServices(sql: SqlReader, ids: Ids | null): Promise<readonly ServiceFacts[]> {
  const services = new Map<number, Loaded>();
  for (const row of await selected<ServiceRow>(sql, SERVICES, 's.id', ids)) {
    const [hosts, pending, released]: [HostFacts[], PendingInstance[], ReleasedInstance[]] = [[], [], []];
    services.set(row.id, { facts: { ...serviceOf(row), hosts, pending, released }, hosts, pending, released });
  }
  for (const row of await selected<HostRow>(sql, HOSTS, 'h.service_id', ids)) {
    services.get(row.service_id)?.hosts.push(hostOf(row));
  }
  for (const row of await selected<PendingRow>(sql, PENDING, 's.id', ids)) {
    services.get(row.service_id)?.pending.push(pendingOf(row));
  }
  for (const row of await selected<ReleaseRow>(sql, RELEASED, 's.id', ids)) {
    services.get(row.service_id)?.released.push(releasedOf(row));
  }
  return [...services.values()].map(({ facts }) => facts);
}

const SERVICES =
  'SELECT s.id, s.host, s.disabled, s.disabled_reason, s.forced_down, s.last_seen_up, s.created_at ' +
  'FROM scheduler_services s WHERE 1 = 1';
const HOSTS =
  'SELECT h.id, h.service_id, h.node, h.uuid, h.cell, h.service_version, h.report, h.reported_at ' +
  'FROM scheduler_hosts h WHERE 1 = 1';
const PENDING =
  'SELECT s.id AS service_id, i.uuid, i.node, i.host_uuid, i.project_id, i.flavor, i.image, i.is_bfv, ' +
  'i.numa_topology, i.pci_requests, COALESCE(i.updated_at, i.created_at) AS created_at FROM scheduler_services s ' +
  // A consumer that is gone was released without a word to the scheduler.
  'JOIN scheduler_instances i ON i.host = s.host JOIN consumers c ON c.uuid = i.uuid WHERE i.listed_at IS NULL';
const RELEASED =
  'SELECT s.id AS service_id, r.uuid, r.node, r.flavor, r.is_bfv, r.numa_topology, r.pci_requests, r.released_at ' +
  'FROM scheduler_services s JOIN scheduler_releases r ON r.host = s.host WHERE 1 = 1';

async function selected<R>(sql: SqlReader, select: string, key: string, ids: Ids | null): Promise<readonly R[]> {
  if (ids === null) return sql.query<R>(`${select} ORDER BY ${key}`);
  const rows: R[] = [];
  for (const part of chunks(ids, DATABASE_LIMITS.idsPerStatement)) {
    for (const row of await sql.query<R>(`${select} AND ${key} IN (${marks(part.length)}) ORDER BY ${key}`, part)) {
      rows.push(row);
    }
  }
  return rows;
}

const serviceOf = (row: ServiceRow): Pick<ServiceFacts, 'id' | 'host' | 'service'> => ({
  id: row.id,
  host: row.host,
  service: {
    disabled: row.disabled === 1,
    disabledReason: row.disabled_reason,
    forcedDown: row.forced_down === 1,
    lastSeenUpMs: row.last_seen_up,
    createdAtMs: row.created_at,
  },
});

const hostOf = (row: HostRow): HostFacts => ({
  id: row.id,
  node: row.node,
  uuid: row.uuid,
  cell: row.cell,
  serviceVersion: row.service_version,
  report: hostReportOf(JSON.parse(row.report) as HostReportBody),
  reportedAtMs: row.reported_at,
});

const parsed = (text: string | null): unknown => (text === null ? null : (JSON.parse(text) as unknown));

const pendingOf = (row: PendingRow): PendingInstance => ({
  uuid: row.uuid,
  node: row.node,
  hostUuid: row.host_uuid,
  projectId: row.project_id,
  flavor: parsed(row.flavor),
  image: parsed(row.image),
  isBfv: row.is_bfv === 1,
  numaTopology: parsed(row.numa_topology),
  pciRequests: parsed(row.pci_requests),
  placedAtMs: row.created_at,
});

const releasedOf = (row: ReleaseRow): ReleasedInstance => ({
  uuid: row.uuid,
  node: row.node,
  flavor: parsed(row.flavor),
  isBfv: row.is_bfv === 1,
  numaTopology: parsed(row.numa_topology),
  pciRequests: parsed(row.pci_requests),
  releasedAtMs: row.released_at,
});

/** The host aggregates with these ids, or all; an id that is missing from the answer is gone. In the order of ids. */
export async function loadHostAggregates(sql: SqlReader, ids: Ids | null): Promise<readonly HostAggregateFacts[]> {
  const found = new Map<number, { metadata: Record<string, string>; hosts: string[]; facts: HostAggregateFacts }>();
  const rows = await selected<{ id: number; uuid: string; name: string }>(
    sql,
    'SELECT id, uuid, name FROM host_aggregates WHERE 1 = 1',
    'id',
    ids,
  );
  for (const { id, uuid, name } of rows) {
    // A key may be any text, so the object has no keys of its own to begin with.
    const metadata = Object.create(null) as Record<string, string>;
    const hosts: string[] = [];
    found.set(id, { metadata, hosts, facts: { id, uuid, name, metadata, hosts } });
  }
  const pairs = await selected<{ aggregate_id: number; name: string; value: string }>(
    sql,
    'SELECT aggregate_id, name, value FROM host_aggregate_metadata WHERE 1 = 1',
    'aggregate_id',
    ids,
  );
  for (const { aggregate_id: id, name, value } of pairs) {
    const metadata = found.get(id)?.metadata;
    if (metadata !== undefined) metadata[name] = value;
  }
  const members = await selected<{ aggregate_id: number; host: string }>(
    sql,
    'SELECT aggregate_id, host FROM host_aggregate_hosts WHERE 1 = 1',
    'aggregate_id',
    ids,
  );
  for (const { aggregate_id: id, host } of members) found.get(id)?.hosts.push(host);
  return [...found.values()].map(({ facts }) => facts);
}
