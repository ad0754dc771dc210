// Law: a row of nova gives the scheduler the report that the host would have sent with the same content.
import { NovaDatabases } from '../../../test/nova/nova-databases';
import { testDatabaseKinds } from '../../../test/support/databases';
import { hostReportOf } from '../../compute/hosts/host-report';
import type { HostReportDto } from '../../compute/hosts/hosts.schema';
import { readerOf } from './facts.fixture';

const onMysql = testDatabaseKinds().includes('mysql') ? describe : describe.skip;

/** The document without the wrappers of versioned objects. */
function plain(value: unknown): any {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const data = (value as Record<string, unknown>)['nova_object.data'];
  if (data !== undefined) return plain(data);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
const jsonOf = (text: string | null): any => (text === null ? null : plain(JSON.parse(text)));

/** The host's own report of the same content. */
function documentOf(row: any, instances: readonly any[]): HostReportDto {
  const topology = jsonOf(row.numa_topology);
  // For nova a missing counter is 0; in a report it is unknown.
  const stats = { num_instances: '0', io_workload: '0', ...jsonOf(row.stats) };
  const percent = (name: string): number => (name.endsWith('.percent') ? 100 : 1);
  return {
    hypervisor: {
      type: row.hypervisor_type,
      version: row.hypervisor_version,
      hostname: row.hypervisor_hostname,
      cpu_info: row.cpu_info,
    },
    host_ip: row.host_ip,
    vcpus_total: row.vcpus,
    vcpus_used: row.vcpus_used,
    memory_mb: row.memory_mb,
    free_ram_mb: row.free_ram_mb,
    local_gb: row.local_gb,
    local_gb_used: row.local_gb_used,
    free_disk_gb: row.free_disk_gb,
    disk_available_least: row.disk_available_least,
    cpu_allocation_ratio: row.cpu_allocation_ratio,
    ram_allocation_ratio: row.ram_allocation_ratio,
    disk_allocation_ratio: row.disk_allocation_ratio,
    supported_instances: jsonOf(row.supported_instances),
    stats,
    failed_builds: Number(stats.failed_builds),
    metrics: jsonOf(row.metrics).map(({ name, value, timestamp }: any) => ({
      name,
      value: Math.trunc(value * percent(name)),
      measured_at: `${timestamp}Z`,
    })),
    ...(topology !== null && {
      numa_topology: {
        cells: topology.cells.map(({ network_metadata: network, ...cell }: any) => ({ ...cell, ...network })),
      },
    }),
    pci_device_pools: jsonOf(row.pci_stats).objects.map(({ tags: { dev_type, ...tags }, ...pool }: any) => ({
      ...pool,
      dev_type,
      tags,
    })),
    instances: instances.map(({ uuid, project_id, vm_state, task_state }) => ({
      uuid,
      project_id,
      vm_state,
      task_state,
    })),
  };
}

/** Sets of CPUs have no order. */
const sorted = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, one: unknown) =>
    Array.isArray(one) && one.every((item) => typeof item === 'number') ? [...one].sort((a, b) => a - b) : one,
  );

onMysql('the report in a row of nova', () => {
  it('equals the report of the host', async () => {
    const databases = await NovaDatabases.load();
    // The fixture's columns are NULL in part; computes of later releases fill them.
    await databases.run(
      'UPDATE cell1.compute_nodes SET cpu_allocation_ratio = 1.1, ram_allocation_ratio = 1.3, disk_allocation_ratio = 0.9',
    );
    const facts = readerOf(databases);
    await facts.start();
    const { services } = facts.changesSince(0);
    expect(services.map(({ host }) => host).sort()).toEqual(['cmp1', 'cmp2', 'cmp3']);
    for (const { host, hosts } of services) {
      const [row] = await databases.run('SELECT * FROM cell1.compute_nodes WHERE host = ? AND deleted = 0', [host]);
      const instances = await databases.run('SELECT * FROM cell1.instances WHERE host = ? AND deleted = 0', [host]);
      expect(sorted(hosts[0]?.report)).toEqual(sorted(hostReportOf(documentOf(row, instances))));
    }
    await facts.stop();
    await databases.drop();
  });
});
