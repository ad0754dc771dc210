// What the registries know of hosts, as the scheduler keeps it: services with their hosts' last reports, what Berth
// placed and the reports do not list yet, and host aggregates. Data only, and how a report as it travels becomes one.
import type { HostNumaTopology } from '../numa/numa-topology';
import { readHostTopology } from '../numa/topology-document';
import type { PciPool } from '../pci/pci-pool';
import { readPciPools } from '../pci/pool-document';
import type { HostInstance, HostMetric, HostService } from './host-state';

/** A host's last report. What the host did not say is null, or empty where it is a list. */
export interface HostReport {
  readonly hypervisorType: string | null;
  readonly hypervisorVersion: number | null;
  readonly hypervisorHostname: string | null;
  /** JSON text where the host reported text, else the object it reported. */
  readonly cpuInfo: unknown;
  readonly hostIp: string | null;
  readonly vcpusTotal: number | null;
  readonly vcpusUsed: number | null;
  readonly memoryMb: number | null;
  readonly freeRamMb: number | null;
  readonly localGb: number | null;
  readonly localGbUsed: number | null;
  readonly freeDiskGb: number | null;
  readonly diskAvailableLeast: number | null;
  /** Null or 0: not said. */
  readonly cpuAllocationRatio: number | null;
  readonly ramAllocationRatio: number | null;
  readonly diskAllocationRatio: number | null;
  readonly supportedInstances: readonly (readonly string[])[];
  readonly stats: Readonly<Record<string, string>>;
  readonly metrics: readonly HostMetric[];
  readonly failedBuilds: number | null;
  readonly reservedHostCpus: number | null;
  readonly reservedHostMemoryMb: number | null;
  readonly reservedHostDiskMb: number | null;
  readonly numaTopology: HostNumaTopology | null;
  /** Null: the host reports no PCI data. */
  readonly pciPools: readonly PciPool[] | null;
  readonly instances: readonly ReportedInstance[];
}

/** An instance that a report lists. */
export interface ReportedInstance extends HostInstance {
  readonly taskState: string | null;
  readonly vmState: string | null;
}

/** One compute node. */
export interface HostFacts {
  readonly id: number;
  readonly node: string;
  /** Its root provider; null while nobody said which. */
  readonly uuid: string | null;
  readonly cell: string | null;
  /** 0: not said. */
  readonly serviceVersion: number;
  readonly report: HostReport;
  readonly reportedAtMs: number;
}

/** An instance that Berth placed on a host and no report of the host has listed yet. Documents are as they travel. */
export interface PendingInstance {
  readonly uuid: string;
  readonly node: string;
  readonly hostUuid: string;
  readonly projectId: string;
  readonly flavor: unknown;
  readonly image: unknown;
  readonly isBfv: boolean;
  readonly numaTopology: unknown;
  readonly pciRequests: unknown;
  readonly placedAtMs: number;
}

/** An instance that the last report may still list although Berth has released it since. */
export interface ReleasedInstance {
  readonly uuid: string;
  readonly node: string;
  readonly flavor: unknown;
  readonly isBfv: boolean;
  readonly numaTopology: unknown;
  readonly pciRequests: unknown;
  readonly releasedAtMs: number;
}

/** A compute service with everything that hangs on it. */
export interface ServiceFacts {
  readonly id: number;
  readonly host: string;
  readonly service: HostService;
  readonly hosts: readonly HostFacts[];
  readonly pending: readonly PendingInstance[];
  readonly released: readonly ReleasedInstance[];
}

export interface HostAggregateFacts {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Names of service hosts. */
  readonly hosts: readonly string[];
}

export interface ReportedInstanceBody {
  readonly uuid: string;
  readonly flavor?: string | null;
  readonly project_id?: string | null;
  readonly task_state?: string | null;
  readonly vm_state?: string | null;
  readonly image_properties?: Readonly<Record<string, string | number | boolean>>;
}

/** A host's report as it travels. Null means the same as absent. */
export interface HostReportBody {
  readonly uuid?: string | null;
  readonly cell?: string | null;
  readonly service_version?: number | null;
  readonly hypervisor?: {
    readonly type?: string | null;
    readonly version?: number | null;
    readonly hostname?: string | null;
    readonly cpu_info?: unknown;
  } | null;
  readonly host_ip?: string | null;
  readonly vcpus_total?: number | null;
  readonly vcpus_used?: number | null;
  readonly memory_mb?: number | null;
  readonly free_ram_mb?: number | null;
  readonly local_gb?: number | null;
  readonly free_disk_gb?: number | null;
  readonly disk_available_least?: number | null;
  readonly local_gb_used?: number | null;
  readonly cpu_allocation_ratio?: number | null;
  readonly ram_allocation_ratio?: number | null;
  readonly disk_allocation_ratio?: number | null;
  readonly supported_instances?: readonly (readonly string[])[] | null;
  readonly stats?: Readonly<Record<string, string | number | boolean>> | null;
  readonly metrics?:
    | readonly {
        readonly name: string;
        readonly value: number;
        readonly unit?: string | null;
        /** A time as ISO 8601 text, or milliseconds since the epoch. */
        readonly measured_at?: string | number | null;
      }[]
    | null;
  readonly failed_builds?: number | null;
  readonly reserved_host_cpus?: number | null;
  readonly reserved_host_memory_mb?: number | null;
  readonly reserved_host_disk_mb?: number | null;
  /** As `numa/topology-document.ts` reads it. */
  readonly numa_topology?: unknown;
  /** As `pci/pool-document.ts` reads them. */
  readonly pci_device_pools?: unknown;
  readonly instances?: readonly ReportedInstanceBody[] | null;
  readonly report_providers?: boolean;
}

const texts = (values: Readonly<Record<string, string | number | boolean>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));

/** Throws RequestRefused, by its path, for cells or devices that contradict themselves. */
export function hostReportOf(body: HostReportBody): HostReport {
  return {
    hypervisorType: body.hypervisor?.type ?? null,
    hypervisorVersion: body.hypervisor?.version ?? null,
    hypervisorHostname: body.hypervisor?.hostname ?? null,
    cpuInfo: body.hypervisor?.cpu_info ?? null,
    hostIp: body.host_ip ?? null,
    vcpusTotal: body.vcpus_total ?? null,
    vcpusUsed: body.vcpus_used ?? null,
    memoryMb: body.memory_mb ?? null,
    freeRamMb: body.free_ram_mb ?? null,
    localGb: body.local_gb ?? null,
    localGbUsed: body.local_gb_used ?? null,
    freeDiskGb: body.free_disk_gb ?? null,
    diskAvailableLeast: body.disk_available_least ?? null,
    cpuAllocationRatio: body.cpu_allocation_ratio ?? null,
    ramAllocationRatio: body.ram_allocation_ratio ?? null,
    diskAllocationRatio: body.disk_allocation_ratio ?? null,
    supportedInstances: body.supported_instances ?? [],
    stats: texts(body.stats ?? {}),
    metrics: (body.metrics ?? []).map((metric) => ({
      name: metric.name,
      value: metric.value,
      unit: metric.unit ?? null,
      measuredAtMs: timeOf(metric.measured_at ?? null),
    })),
    failedBuilds: body.failed_builds ?? null,
    reservedHostCpus: body.reserved_host_cpus ?? null,
    reservedHostMemoryMb: body.reserved_host_memory_mb ?? null,
    reservedHostDiskMb: body.reserved_host_disk_mb ?? null,
    numaTopology: readHostTopology(body.numa_topology),
    pciPools: readPciPools(body.pci_device_pools),
    instances: (body.instances ?? []).map(instanceOf),
  };
}

function timeOf(time: string | number | null): number | null {
  if (typeof time !== 'string') return time;
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? null : parsed;
}

function instanceOf(instance: ReportedInstanceBody): ReportedInstance {
  return {
    uuid: instance.uuid.toLowerCase(),
    projectId: instance.project_id ?? null,
    flavor: instance.flavor ?? null,
    imageProperties: texts(instance.image_properties ?? {}),
    taskState: instance.task_state ?? null,
    vmState: instance.vm_state ?? null,
  };
}
