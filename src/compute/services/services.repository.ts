// Compute services in the database, one row per service host, and the rows that belong to a service.
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { addTo } from '../../platform/values/lists-by-key';
import type { Page, PageQuery } from '../registry-page';
import type { PageSource } from '../registry-page.sql';
import { pageOf, selectPage } from '../registry-page.sql';
import { ComputeService } from './service.entity';
import type { ServiceStatusFilter } from './services.sql';
import { statusConditions, ZONE } from './services.sql';

/** With the zone of its host; null for the default zone. */
export type ServiceInZone = ComputeService & { readonly zone: string | null };

const SERVICES = new Table(ComputeService);

const SELECT = `SELECT ${SERVICES.all.of('s')}, (${ZONE}) AS zone FROM scheduler_services s`;
const SOURCE: PageSource = { select: SELECT, id: 's.id', table: 'scheduler_services', key: 'host' };

const serviceOf = (row: { readonly zone: string | null }): ServiceInZone => ({ ...SERVICES.read(row), zone: row.zone });

export async function findService(sql: SqlReader, host: string): Promise<ServiceInZone | undefined> {
  const [row] = await sql.query<{ zone: string | null }>(`${SELECT} WHERE s.host = ?`, [host]);
  return row === undefined ? undefined : serviceOf(row);
}

export async function listServices(
  sql: SqlReader,
  filter: ServiceStatusFilter,
  page: PageQuery,
): Promise<Page<ServiceInZone>> {
  const services = await selectPage(sql, SOURCE, statusConditions(filter), page, serviceOf);
  return pageOf(services, ({ host }) => host);
}

/** Removes the hosts that the nodes of the service reported. */
export async function deleteHosts(tx: WriteTx, serviceId: number): Promise<void> {
  await tx.run('DELETE FROM scheduler_hosts WHERE service_id = ?', [serviceId]);
}

/** Node names by service id. */
export async function nodesOf(
  sql: SqlReader,
  serviceIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const nodes = new Map<number, string[]>();
  const rows = await queryAmong<{ service_id: number; node: string }>(
    sql,
    serviceIds,
    (among) => `SELECT service_id, node FROM scheduler_hosts WHERE service_id IN (${among}) ORDER BY id`,
    { size: DATABASE_LIMITS.parametersPerStatement },
  );
  for (const { service_id: id, node } of rows) addTo(nodes, id, node);
  return nodes;
}
