// Reports of virtual hosts: the first report, and later reports with the servers placed since. A mark in the statistics
// identifies a virtual host. A real report has no mark, so it ends the virtual host. Pure.
import type { HostReportDto } from '../../compute/hosts/hosts.schema';
import type { InstanceRecord } from '../../compute/instances/instance.entity';
import { MIB_PER_GIB } from '../../placement/domain/inventory';

interface HostSize {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskGb: number;
}

export const DEFAULT_SIZE: HostSize = Object.freeze({ vcpus: 16, memoryMb: 65_536, diskGb: 1_000 });

const MARK = 'berth_virtual';
/** Whether the statistics contain the mark of a virtual host. */
export const isVirtual = (stats: Readonly<Record<string, unknown>> | null | undefined): boolean =>
  String(stats?.[MARK]) === 'true';

/** The first report of a virtual host. */
export const virtualReport = (host: string, { vcpus, memoryMb, diskGb }: HostSize): HostReportDto => ({
  report_providers: true,
  hypervisor: { type: 'QEMU', version: 8_002_000, hostname: host, cpu_info: { arch: 'x86_64' } },
  host_ip: '192.0.2.1',
  supported_instances: [
    ['x86_64', 'qemu', 'hvm'],
    ['x86_64', 'kvm', 'hvm'],
  ],
  vcpus_total: vcpus,
  memory_mb: memoryMb,
  local_gb: diskGb,
  vcpus_used: 0,
  free_ram_mb: memoryMb,
  free_disk_gb: diskGb,
  local_gb_used: 0,
  stats: { [MARK]: 'true' },
  instances: [],
});

/** The flavor in an instance record. */
interface Amounts {
  readonly name?: string | null;
  readonly vcpus?: number;
  readonly memory_mb?: number;
  readonly root_gb?: number;
  readonly ephemeral_gb?: number;
  readonly swap?: number;
}

/** The previous report, updated with the instances that are on the host now. */
export function renewedReport(before: HostReportDto, instances: readonly InstanceRecord[]): HostReportDto {
  const used = { vcpus: 0, memoryMb: 0, diskMb: 0 };
  for (const { flavor, isBfv } of instances) {
    const {
      vcpus = 0,
      memory_mb: memoryMb = 0,
      root_gb: root = 0,
      ephemeral_gb: other = 0,
      swap = 0,
    } = flavor as Amounts;
    used.vcpus += vcpus;
    used.memoryMb += memoryMb;
    used.diskMb += ((isBfv ? 0 : root) + other) * MIB_PER_GIB + swap;
  }
  const diskGb = Math.ceil(used.diskMb / MIB_PER_GIB);
  return {
    ...before,
    vcpus_used: used.vcpus,
    free_ram_mb: (before.memory_mb ?? 0) - used.memoryMb,
    free_disk_gb: (before.local_gb ?? 0) - diskGb,
    local_gb_used: diskGb,
    instances: instances.map(({ uuid, projectId, flavor, image }) => ({
      uuid,
      flavor: (flavor as Amounts).name ?? null,
      project_id: projectId,
      vm_state: 'active',
      image_properties: (image as { properties?: Readonly<Record<string, string>> } | null)?.properties ?? {},
    })),
  };
}
