// Reports of virtual hosts: the first report, and later reports with the servers placed since. A mark in the statistics
// identifies a virtual host. A real report has no mark, so it ends the virtual host. Its use is what Placement holds. Pure.
import type { HostReportDto } from '../../compute/hosts/hosts.schema';
import type { InstanceRecord } from '../../compute/instances/instance.entity';

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
  stats: { [MARK]: 'true' },
  instances: [],
});

/** The previous report, with the instances that are on the host now. */
export function renewedReport(before: HostReportDto, instances: readonly InstanceRecord[]): HostReportDto {
  return {
    ...before,
    instances: instances.map(({ uuid, projectId, flavor, image }) => ({
      uuid,
      flavor: (flavor as { readonly name?: string | null }).name ?? null,
      project_id: projectId,
      vm_state: 'active',
      image_properties: (image as { properties?: Readonly<Record<string, string>> } | null)?.properties ?? {},
    })),
  };
}
