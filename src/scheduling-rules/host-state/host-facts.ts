// The scheduler's in-memory copy of the registries: services with their hosts' last reports, Berth's placements that no
// report lists yet, and host aggregates. Data only.
import type { HostNumaTopology } from '../request-spec/numa-topology';
import type { PciPool } from '../request-spec/pci-pool';
import type { HostInstance, HostMetric, HostService } from './host-state';

/** A host's last report. Missing values are null, missing lists empty. */
export interface HostReport {
  readonly hypervisorType: string | null;
  readonly hypervisorVersion: number | null;
  readonly hypervisorHostname: string | null;
  /** JSON text if the host reported text, otherwise the reported object. */
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
  /** Null or 0: not reported. */
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
  /** Null: the host does not list its instances. */
  readonly instances: readonly ReportedInstance[] | null;
}

/** An instance in a report. */
export interface ReportedInstance extends HostInstance {
  readonly taskState: string | null;
  readonly vmState: string | null;
}

/** One compute node. */
export interface HostFacts {
  readonly id: number;
  readonly node: string;
  /** Its root provider; null while unknown. */
  readonly uuid: string | null;
  readonly cell: string | null;
  /** 0: not reported. */
  readonly serviceVersion: number;
  readonly report: HostReport;
  readonly reportedAtMs: number;
}

/** An instance that Berth placed and no report of the host lists yet. Documents are in their wire format. */
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
  /** The host can list the instance already, but its free amounts do not count it. */
  readonly isUncounted?: boolean;
}

/** An instance that Berth released and the last report can still list. */
export interface ReleasedInstance {
  readonly uuid: string;
  readonly node: string;
  readonly flavor: unknown;
  readonly isBfv: boolean;
  readonly numaTopology: unknown;
  readonly pciRequests: unknown;
  readonly releasedAtMs: number;
}

/** A compute service with its nodes and instances. */
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
