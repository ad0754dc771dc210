// Compute nodes and their last reports in the database. Whoever writes one has taken its service's row before.
import type { SqlReader, SqlValue, WriteTx } from '../../../database/sql';
import { marks } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import type { HostReportBody } from '../../host-state/host-facts';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';
import { statusConditions } from '../services/services.repository';
import type { ServiceStatusFilter } from '../services/services.repository';

export interface Host {
  readonly id: number;
  readonly serviceId: number;
  readonly host: string;
  readonly node: string;
  readonly uuid: Uuid | null;
  readonly report: HostReportBody;
  readonly reportedAtMs: number;
  readonly generation: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
  readonly service: {
    readonly disabled: boolean;
    readonly disabledReason: string | null;
    readonly forcedDown: boolean;
    readonly lastSeenUpMs: number | null;
    readonly createdAtMs: number;
  };
}

interface Row {
  readonly id: number;
  readonly service_id: number;
  readonly host: string;
  readonly node: string;
  readonly uuid: Uuid | null;
  readonly report: string;
  readonly reported_at: number;
  readonly generation: number;
  readonly created_at: number;
  readonly updated_at: number | null;
  readonly disabled: number;
  readonly disabled_reason: string | null;
  readonly forced_down: number;
  readonly last_seen_up: number | null;
  readonly service_created_at: number;
}

const SELECT =
  'SELECT h.id, h.service_id, s.host, h.node, h.uuid, h.report, h.reported_at, h.generation, h.created_at, ' +
  'h.updated_at, s.disabled, s.disabled_reason, s.forced_down, s.last_seen_up, s.created_at AS service_created_at ' +
  'FROM scheduler_hosts h JOIN scheduler_services s ON s.id = h.service_id';
/** Two names make a host's key, and either may hold any character: pages go on from a row's number. */
const SOURCE: PageSource = { select: SELECT, id: 'h.id', table: 'scheduler_hosts', key: 'id' };

const toHost = (row: Row): Host => ({
  id: row.id,
  serviceId: row.service_id,
  host: row.host,
  node: row.node,
  uuid: row.uuid,
  report: JSON.parse(row.report) as HostReportBody,
  reportedAtMs: row.reported_at,
  generation: row.generation,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
  service: {
    disabled: row.disabled === 1,
    disabledReason: row.disabled_reason,
    forcedDown: row.forced_down === 1,
    lastSeenUpMs: row.last_seen_up,
    createdAtMs: row.service_created_at,
  },
});

export async function findHost(sql: SqlReader, host: string, node: string): Promise<Host | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} WHERE s.host = ? AND h.node = ?`, [host, node]);
  return row === undefined ? undefined : toHost(row);
}

export interface HostFilter extends ServiceStatusFilter {
  readonly node?: string | undefined;
  readonly uuid?: Uuid | undefined;
  readonly cell?: string | undefined;
}

export async function listHosts(sql: SqlReader, filter: HostFilter, page: PageQuery): Promise<Page<Host>> {
  const conditions: Condition[] = [...statusConditions(filter)];
  if (filter.node !== undefined) conditions.push(['h.node = ?', [filter.node]]);
  if (filter.uuid !== undefined) conditions.push(['h.uuid = ?', [filter.uuid]]);
  if (filter.cell !== undefined) conditions.push(['h.cell = ?', [filter.cell]]);
  const rows = await selectPage<Row>(sql, SOURCE, conditions, page);
  return pageOf(rows, page.limit, toHost, (row) => String(row.id));
}

/** What a report is compared with, read behind the service's row. */
export interface Known {
  readonly serviceId: number;
  readonly isDisabled: boolean;
  readonly hostId: number | null;
  readonly uuid: Uuid | null;
  readonly digest: string | null;
  readonly mirroredProviderId: number | null;
  /** The provider that the report names by uuid, else the root provider with the node's name. */
  readonly provider: { readonly id: number; readonly uuid: Uuid; readonly isRoot: boolean } | null;
  readonly hasPending: boolean;
  readonly hasReleases: boolean;
}

/** One statement, whatever hangs on the host. */
export async function findKnown(
  tx: WriteTx,
  host: string,
  node: string,
  uuid: Uuid | null,
): Promise<Known | undefined> {
  const provider = uuid === null ? 'p.name = ? AND p.parent_provider_id IS NULL' : 'p.uuid = ?';
  const [row] = await tx.query<{
    service_id: number;
    disabled: number;
    host_id: number | null;
    uuid: Uuid | null;
    report_digest: string | null;
    mirrored_provider_id: number | null;
    provider_id: number | null;
    provider_uuid: Uuid | null;
    parent_provider_id: number | null;
    has_pending: number;
    has_releases: number;
  }>(
    'SELECT s.id AS service_id, s.disabled, h.id AS host_id, h.uuid, h.report_digest, h.mirrored_provider_id, ' +
      'p.id AS provider_id, p.uuid AS provider_uuid, p.parent_provider_id, ' +
      'EXISTS (SELECT 1 FROM scheduler_instances i WHERE i.host = s.host AND i.node = ? AND i.listed_at IS NULL) ' +
      'AS has_pending, ' +
      'EXISTS (SELECT 1 FROM scheduler_releases r WHERE r.host = s.host AND r.node = ?) AS has_releases ' +
      'FROM scheduler_services s LEFT JOIN scheduler_hosts h ON h.service_id = s.id AND h.node = ? ' +
      `LEFT JOIN resource_providers p ON ${provider} WHERE s.host = ?`,
    [node, node, node, uuid ?? node, host],
  );
  if (row === undefined) return undefined;
  const { provider_id: providerId, provider_uuid: providerUuid } = row;
  return {
    serviceId: row.service_id,
    isDisabled: row.disabled === 1,
    hostId: row.host_id,
    uuid: row.uuid,
    digest: row.report_digest,
    mirroredProviderId: row.mirrored_provider_id,
    provider:
      providerId === null || providerUuid === null
        ? null
        : { id: providerId, uuid: providerUuid, isRoot: row.parent_provider_id === null },
    hasPending: Number(row.has_pending) === 1,
    hasReleases: Number(row.has_releases) === 1,
  };
}

export async function reportOf(sql: SqlReader, hostId: number): Promise<HostReportBody> {
  const [row] = await sql.query<{ report: string }>('SELECT report FROM scheduler_hosts WHERE id = ?', [hostId]);
  return row === undefined ? {} : (JSON.parse(row.report) as HostReportBody);
}

export interface ReportedHost {
  readonly uuid: Uuid | null;
  readonly mirroredProviderId: number | null;
  readonly cell: string | null;
  readonly serviceVersion: number;
  readonly report: string;
  readonly digest: string;
}

const WRITTEN = [
  'uuid',
  'mirrored_provider_id',
  'cell',
  'service_version',
  'report',
  'report_digest',
  'reported_at',
] as const;

const writtenOf = (host: ReportedHost, nowMs: number): readonly SqlValue[] => [
  host.uuid,
  host.mirroredProviderId,
  host.cell,
  host.serviceVersion,
  host.report,
  host.digest,
  nowMs,
];

/** Fails on a duplicate when the provider is reported by another host. */
export function insertHost(
  tx: WriteTx,
  place: { readonly serviceId: number; readonly node: string },
  host: ReportedHost,
  nowMs: number,
): Promise<number> {
  return tx.insert(
    `INSERT INTO scheduler_hosts (service_id, node, ${WRITTEN.join(', ')}, created_at) ` +
      `VALUES (${marks(WRITTEN.length + 3)})`,
    [place.serviceId, place.node, ...writtenOf(host, nowMs), nowMs],
  );
}

export async function updateHost(tx: WriteTx, id: number, host: ReportedHost, nowMs: number): Promise<void> {
  await tx.run(
    `UPDATE scheduler_hosts SET ${WRITTEN.map((column) => `${column} = ?`).join(', ')}, ` +
      'generation = generation + 1, updated_at = ? WHERE id = ?',
    [...writtenOf(host, nowMs), nowMs, id],
  );
}

/** Answers whether it was there. */
export async function deleteHost(tx: WriteTx, serviceId: number, node: string): Promise<boolean> {
  return (await tx.run('DELETE FROM scheduler_hosts WHERE service_id = ? AND node = ?', [serviceId, node])) === 1;
}

/** Uuids of the host aggregates that a host is in. */
export async function aggregatesOfHost(sql: SqlReader, host: string): Promise<readonly Uuid[]> {
  const rows = await sql.query<{ uuid: Uuid }>(
    'SELECT a.uuid FROM host_aggregate_hosts ah JOIN host_aggregates a ON a.id = ah.aggregate_id WHERE ah.host = ?',
    [host],
  );
  return rows.map(({ uuid }) => uuid);
}

/** The node that reported this provider, for telling who has it. */
export async function holderOf(
  sql: SqlReader,
  uuid: Uuid,
): Promise<{ readonly host: string; readonly node: string } | undefined> {
  const [row] = await sql.query<{ host: string; node: string }>(
    'SELECT s.host, h.node FROM scheduler_hosts h JOIN scheduler_services s ON s.id = h.service_id WHERE h.uuid = ?',
    [uuid],
  );
  return row;
}
