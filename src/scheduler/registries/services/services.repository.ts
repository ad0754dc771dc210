// Compute services in the database, one row per service host. Reports touch the row first, so reports of one host come
// one after another; operators' changes of status do the same.
import type { SqlReader, WriteTx } from '../../../database/sql';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';
import type { ServiceState } from './service-liveness';

export interface ComputeService {
  readonly id: number;
  readonly host: string;
  readonly disabled: boolean;
  readonly disabledReason: string | null;
  readonly forcedDown: boolean;
  readonly lastSeenUpMs: number | null;
  readonly generation: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
  /** Null: that of hosts in no zone. */
  readonly zone: string | null;
}

interface Row {
  readonly id: number;
  readonly host: string;
  readonly disabled: number;
  readonly disabled_reason: string | null;
  readonly forced_down: number;
  readonly last_seen_up: number | null;
  readonly generation: number;
  readonly created_at: number;
  readonly updated_at: number | null;
  readonly zone: string | null;
}

const ZONE =
  'SELECT MIN(m.value) FROM host_aggregate_hosts ah JOIN host_aggregate_metadata m ' +
  "ON m.aggregate_id = ah.aggregate_id AND m.name = 'availability_zone' WHERE ah.host = s.host";
const SELECT =
  'SELECT s.id, s.host, s.disabled, s.disabled_reason, s.forced_down, s.last_seen_up, s.generation, s.created_at, ' +
  `s.updated_at, (${ZONE}) AS zone FROM scheduler_services s`;
const SOURCE: PageSource = { select: SELECT, id: 's.id', table: 'scheduler_services', key: 'host' };

const toService = (row: Row): ComputeService => ({
  id: row.id,
  host: row.host,
  disabled: row.disabled === 1,
  disabledReason: row.disabled_reason,
  forcedDown: row.forced_down === 1,
  lastSeenUpMs: row.last_seen_up,
  generation: row.generation,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
  zone: row.zone,
});

export async function findService(sql: SqlReader, host: string): Promise<ComputeService | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} WHERE s.host = ?`, [host]);
  return row === undefined ? undefined : toService(row);
}

/** Conditions on the service `s`. */
export interface ServiceStatusFilter {
  readonly host?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly isForcedDown?: boolean | undefined;
  readonly state?: { readonly wanted: ServiceState; readonly nowMs: number; readonly downSeconds: number } | undefined;
  /** `isDefault`: hosts in no zone are meant as well. */
  readonly zone?: { readonly name: string; readonly isDefault: boolean } | undefined;
}

export function statusConditions(filter: ServiceStatusFilter): readonly Condition[] {
  const all: Condition[] = [];
  if (filter.host !== undefined) all.push(['s.host = ?', [filter.host]]);
  if (filter.isDisabled !== undefined) all.push(['s.disabled = ?', [filter.isDisabled ? 1 : 0]]);
  if (filter.isForcedDown !== undefined) all.push(['s.forced_down = ?', [filter.isForcedDown ? 1 : 0]]);
  if (filter.state !== undefined) {
    const { wanted, nowMs, downSeconds } = filter.state;
    const isUp = '(s.forced_down = 0 AND COALESCE(s.last_seen_up, s.created_at) BETWEEN ? AND ?)';
    const range = [nowMs - downSeconds * 1000, nowMs + downSeconds * 1000];
    all.push([wanted === 'up' ? isUp : `NOT ${isUp}`, range]);
  }
  if (filter.zone !== undefined) {
    const { name, isDefault } = filter.zone;
    all.push(isDefault ? [`COALESCE((${ZONE}), ?) = ?`, [name, name]] : [`(${ZONE}) = ?`, [name]]);
  }
  return all;
}

export async function listServices(
  sql: SqlReader,
  filter: ServiceStatusFilter,
  page: PageQuery,
): Promise<Page<ComputeService>> {
  const rows = await selectPage<Row>(sql, SOURCE, statusConditions(filter), page);
  return pageOf(rows, page.limit, toService, (row) => row.host);
}

/** The service has been seen: takes its row, creating it on its first report. */
export async function sawService(tx: WriteTx, host: string, nowMs: number): Promise<void> {
  const matched = await tx.run('UPDATE scheduler_services SET last_seen_up = ? WHERE host = ?', [nowMs, host]);
  if (matched === 1) return;
  await tx.run(
    'INSERT INTO scheduler_services (host, last_seen_up, created_at) VALUES (?, ?, ?)' +
      tx.dialect.onDuplicate('host', ['last_seen_up']),
    [host, nowMs, nowMs],
  );
}

/** Holds the service's row until commit. */
export async function holdService(tx: WriteTx, host: string): Promise<ComputeService | undefined> {
  await tx.query(`SELECT id FROM scheduler_services WHERE host = ?${tx.dialect.forUpdate}`, [host]);
  return findService(tx, host);
}

export async function updateService(
  tx: WriteTx,
  id: number,
  status: Pick<ComputeService, 'disabled' | 'disabledReason' | 'forcedDown'>,
  nowMs: number,
): Promise<void> {
  await tx.run(
    'UPDATE scheduler_services SET disabled = ?, disabled_reason = ?, forced_down = ?, generation = generation + 1, ' +
      'updated_at = ? WHERE id = ?',
    [status.disabled ? 1 : 0, status.disabledReason, status.forcedDown ? 1 : 0, nowMs, id],
  );
}

/** Removes the service with its hosts. */
export async function deleteService(tx: WriteTx, id: number): Promise<void> {
  await tx.run('DELETE FROM scheduler_hosts WHERE service_id = ?', [id]);
  await tx.run('DELETE FROM scheduler_services WHERE id = ?', [id]);
}

/** Names of the nodes of some services, by service id. */
export async function nodesOf(
  sql: SqlReader,
  serviceIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const nodes = new Map<number, string[]>();
  if (serviceIds.length === 0) return nodes;
  const rows = await sql.query<{ service_id: number; node: string }>(
    `SELECT service_id, node FROM scheduler_hosts WHERE service_id IN (${serviceIds.map(() => '?').join(', ')}) ` +
      'ORDER BY id',
    serviceIds,
  );
  for (const { service_id: id, node } of rows) nodes.set(id, [...(nodes.get(id) ?? []), node]);
  return nodes;
}
