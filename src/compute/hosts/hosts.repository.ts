// Compute nodes and their last reports in the database. A writer must hold the row of the service first.
import type { JoinedProvider } from '../../placement/resource-providers/providers.sql';
import { joinedProvider, joinProvider, PROVIDER_COLUMNS } from '../../placement/resource-providers/providers.sql';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import type { Uuid } from '../../platform/values/uuid';
import type { Page, PageQuery, TextFilter } from '../registry-page';
import type { PageSource } from '../registry-page.sql';
import { equal, pageOf, selectPage } from '../registry-page.sql';
import { ComputeService } from '../services/service.entity';
import type { ServiceStatusFilter } from '../services/services.sql';
import { statusConditions } from '../services/services.sql';
import { ReportedHost } from './host.entity';
import type { HostReportDto } from './hosts.schema';

type StatusField = 'disabled' | 'disabledReason' | 'forcedDown' | 'lastSeenUpMs';

export interface Host extends Omit<ReportedHost, 'report'> {
  readonly host: string;
  readonly report: HostReportDto;
  readonly service: Pick<ComputeService, StatusField | 'createdAtMs'>;
}

const HOSTS = new Table(ReportedHost);
const STATUS = new Table(ComputeService).only('disabled', 'disabledReason', 'forcedDown', 'lastSeenUpMs');
/** Columns that every report writes. */
const REPORTED = HOSTS.without('id', 'serviceId', 'node', 'generation', 'createdAtMs', 'updatedAtMs');
const INSERTED = HOSTS.without('id', 'generation', 'updatedAtMs');

interface Row {
  readonly host: string;
  readonly service_created_at: number;
}

const SELECT =
  `SELECT ${HOSTS.all.of('h')}, s.host, ${STATUS.of('s')}, s.created_at AS service_created_at ` +
  'FROM scheduler_hosts h JOIN scheduler_services s ON s.id = h.service_id';
/** A host is identified by two names of any characters. Pages therefore use the row id as marker. */
const SOURCE: PageSource = { select: SELECT, id: 'h.id', table: 'scheduler_hosts', key: 'id' };

function hostOf(row: Row): Host {
  const host = HOSTS.read(row);
  const service = { ...STATUS.read(row), createdAtMs: row.service_created_at };
  return { ...host, host: row.host, report: JSON.parse(host.report) as HostReportDto, service };
}

export async function findHost(sql: SqlReader, host: string, node: string): Promise<Host | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} WHERE s.host = ? AND h.node = ?`, [host, node]);
  return row === undefined ? undefined : hostOf(row);
}

export type ReportedHostFilter = ServiceStatusFilter & TextFilter<'node' | 'uuid' | 'cell'>;

export async function listHosts(sql: SqlReader, filter: ReportedHostFilter, page: PageQuery): Promise<Page<Host>> {
  const named = equal({ 'h.node': filter.node, 'h.uuid': filter.uuid, 'h.cell': filter.cell });
  const hosts = await selectPage(sql, SOURCE, [...statusConditions(filter), ...named], page, hostOf);
  return pageOf(hosts, ({ id }) => String(id));
}

/** The stored state that a new report is compared with, read after the service's row is locked. */
export interface Known {
  readonly serviceId: number;
  readonly isDisabled: boolean;
  readonly hostId: number | null;
  readonly uuid: Uuid | null;
  readonly digest: string | null;
  readonly mirroredProviderId: number | null;
  /** The provider with the uuid of the report, or else the root provider with the name of the node. */
  readonly provider: { readonly id: number; readonly uuid: Uuid; readonly isRoot: boolean } | null;
  readonly hasPending: boolean;
  readonly hasReleases: boolean;
}

/** Runs one statement, regardless of the number of rows that belong to the host. */
export async function findKnown(
  tx: WriteTx,
  host: string,
  node: string,
  uuid: Uuid | null,
): Promise<Known | undefined> {
  type Row = JoinedProvider & {
    service_id: number;
    disabled: number;
    host_id: number | null;
    uuid: Uuid | null;
    report_digest: string | null;
    mirrored_provider_id: number | null;
    has_pending: number;
    has_releases: number;
  };
  const [row] = await tx.query<Row>(
    'SELECT s.id AS service_id, s.disabled, h.id AS host_id, h.uuid, h.report_digest, h.mirrored_provider_id, ' +
      `${PROVIDER_COLUMNS}, ` +
      'EXISTS (SELECT 1 FROM scheduler_instances i WHERE i.host = s.host AND i.node = ? AND i.listed_at IS NULL) ' +
      'AS has_pending, ' +
      'EXISTS (SELECT 1 FROM scheduler_releases r WHERE r.host = s.host AND r.node = ?) AS has_releases ' +
      'FROM scheduler_services s LEFT JOIN scheduler_hosts h ON h.service_id = s.id AND h.node = ? ' +
      `${joinProvider(uuid === null ? 'name of root' : 'uuid')} WHERE s.host = ?`,
    [node, node, node, uuid ?? node, host],
  );
  if (row === undefined) return undefined;
  return {
    serviceId: row.service_id,
    isDisabled: row.disabled === 1,
    hostId: row.host_id,
    uuid: row.uuid,
    digest: row.report_digest,
    mirroredProviderId: row.mirrored_provider_id,
    provider: joinedProvider(row),
    hasPending: Number(row.has_pending) === 1,
    hasReleases: Number(row.has_releases) === 1,
  };
}

/** The stored report. */
export async function reportOf(sql: SqlReader, hostId: number): Promise<HostReportDto> {
  const [row] = await sql.query<{ report: string }>('SELECT report FROM scheduler_hosts WHERE id = ?', [hostId]);
  return row === undefined ? {} : (JSON.parse(row.report) as HostReportDto);
}

type StoredReport = Omit<ReportedHost, 'id' | 'serviceId' | 'node' | 'generation' | 'createdAtMs' | 'updatedAtMs'>;

/** Fails with a duplicate-key error if another host reports this provider. */
export function insertHost(
  tx: WriteTx,
  place: { readonly serviceId: number; readonly node: string },
  report: StoredReport,
): Promise<number> {
  const { sql, params } = INSERTED.insert([{ ...place, ...report, createdAtMs: report.reportedAtMs }]);
  return tx.insert(sql, params);
}

export async function updateHost(tx: WriteTx, id: number, report: StoredReport): Promise<void> {
  await tx.run(
    `UPDATE scheduler_hosts SET ${REPORTED.assigned}, generation = generation + 1, updated_at = ? WHERE id = ?`,
    [...REPORTED.valuesOf(report), report.reportedAtMs, id],
  );
}

export async function deleteHost(tx: WriteTx, serviceId: number, node: string): Promise<void> {
  await tx.run('DELETE FROM scheduler_hosts WHERE service_id = ? AND node = ?', [serviceId, node]);
}

/** Uuids of the host aggregates that contain the host. */
export async function aggregatesOfHost(sql: SqlReader, host: string): Promise<readonly Uuid[]> {
  const rows = await sql.query<{ uuid: Uuid }>(
    'SELECT a.uuid FROM host_aggregate_hosts ah JOIN host_aggregates a ON a.id = ah.aggregate_id WHERE ah.host = ?',
    [host],
  );
  return rows.map(({ uuid }) => uuid);
}

/** The host and node that report this provider, for error messages. */
export async function reporterOf(
  sql: SqlReader,
  uuid: Uuid,
): Promise<{ readonly host: string; readonly node: string } | undefined> {
  const [row] = await sql.query<{ host: string; node: string }>(
    'SELECT s.host, h.node FROM scheduler_hosts h JOIN scheduler_services s ON s.id = h.service_id WHERE h.uuid = ?',
    [uuid],
  );
  return row;
}
