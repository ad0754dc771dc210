// All data of the registries and of their mirror, to check that a refusal changed nothing.
import type { Database } from '../../src/platform/database/database';

const TABLES = [
  'scheduler_services',
  'scheduler_hosts',
  'host_aggregates',
  'host_aggregate_metadata',
  'host_aggregate_hosts',
  'server_groups',
  'server_group_members',
  'flavors',
  'images',
  'scheduler_instances',
  'scheduler_releases',
  'resource_providers',
  'inventories',
  'resource_provider_traits',
  'resource_provider_aggregates',
  'facade_images',
  'facade_flavors',
  'facade_flavor_access',
  'facade_keypairs',
  'facade_servers',
  'facade_server_actions',
  'change_log',
];

export async function tableDump(database: Database): Promise<Readonly<Record<string, readonly object[]>>> {
  return database.readSnapshot(async (sql) => {
    const tables: Record<string, readonly object[]> = {};
    for (const table of TABLES) tables[table] = await sql.query<object>(`SELECT * FROM ${table}`);
    return tables;
  });
}
