// Reports, services and provider trees for specs of host states. Not part of the product.

import type { Inventory, Provider } from '../../placement/candidate-search';
import type {
  HostFacts,
  HostReport,
  PendingInstance,
  ReleasedInstance,
  ReportedInstance,
  ServiceFacts,
} from './host-facts';

export const NOW = 1_000_000_000;

type Amounts = Pick<Inventory, 'total' | 'used' | 'reserved' | 'allocationRatio' | 'capacity'>;

export const resource = (total: number, used = 0, given: Partial<Amounts> = {}): Amounts => ({
  total,
  used,
  reserved: 0,
  allocationRatio: 1,
  capacity: total,
  ...given,
});

/** A provider; without a parent it is its own root. */
export const provider = (
  uuid: string,
  resources: Readonly<Record<string, Amounts>>,
  {
    traits = [],
    ...given
  }: Partial<Pick<Provider, 'name' | 'rootUuid' | 'parentUuid'>> & {
    readonly traits?: readonly string[];
  } = {},
): Provider => ({
  id: 1,
  uuid,
  name: uuid,
  parentId: null,
  parentUuid: null,
  rootId: 1,
  rootUuid: uuid,
  path: [1],
  aggregates: [],
  isSharing: false,
  wasReported: false,
  traits: new Set(traits),
  inventories: Object.entries(resources).map(([resourceClass, amounts]) => ({
    id: 1,
    providerId: 1,
    resourceClass,
    minUnit: 1,
    maxUnit: amounts.total,
    stepSize: 1,
    version: 0,
    ...amounts,
  })),
  ...given,
});

/** The report of a host that sends no values. */
const EMPTY_REPORT: HostReport = {
  hypervisorType: null,
  hypervisorVersion: null,
  hypervisorHostname: null,
  cpuInfo: null,
  hostIp: null,
  vcpusTotal: null,
  vcpusUsed: null,
  memoryMb: null,
  freeRamMb: null,
  localGb: null,
  localGbUsed: null,
  freeDiskGb: null,
  diskAvailableLeast: null,
  cpuAllocationRatio: null,
  ramAllocationRatio: null,
  diskAllocationRatio: null,
  supportedInstances: [],
  stats: {},
  metrics: [],
  failedBuilds: null,
  reservedHostCpus: null,
  reservedHostMemoryMb: null,
  reservedHostDiskMb: null,
  numaTopology: null,
  pciPools: null,
  instances: [],
};

/** An instance in a report. */
export const reported = (uuid: string, given: Partial<ReportedInstance> = {}): ReportedInstance => ({
  uuid,
  projectId: null,
  flavor: null,
  imageProperties: {},
  taskState: null,
  vmState: null,
  ...given,
});

/** A node with the values that it reports. */
export const node = (report: Partial<HostReport> = {}, given: Partial<HostFacts> = {}): HostFacts => ({
  id: 1,
  node: 'n',
  uuid: 'root',
  cell: null,
  serviceVersion: 0,
  report: { ...EMPTY_REPORT, ...report },
  reportedAtMs: NOW - 5_000,
  ...given,
});

export const service = (given: Partial<ServiceFacts> = {}): ServiceFacts => ({
  id: 1,
  host: 'h',
  hosts: [],
  pending: [],
  released: [],
  service: {
    disabled: false,
    disabledReason: null,
    forcedDown: false,
    lastSeenUpMs: NOW - 5_000,
    createdAtMs: 0,
  },
  ...given,
});

/** 2 vCPUs, 1024 MiB, 10 GiB root disk, 3 GiB ephemeral, half a GiB swap. */
const FLAVOR = {
  name: 'm1',
  vcpus: 2,
  memory_mb: 1024,
  root_gb: 10,
  ephemeral_gb: 3,
  swap: 512,
} as const;

export const pending = (uuid: string, given: Partial<PendingInstance> = {}): PendingInstance => ({
  uuid,
  node: 'n',
  hostUuid: 'root',
  projectId: 'p',
  flavor: FLAVOR,
  image: null,
  isBfv: false,
  numaTopology: null,
  pciRequests: null,
  placedAtMs: NOW - 1_000,
  ...given,
});

export const released = (uuid: string, given: Partial<ReleasedInstance> = {}): ReleasedInstance => ({
  uuid,
  node: 'n',
  flavor: FLAVOR,
  isBfv: false,
  numaTopology: null,
  pciRequests: null,
  releasedAtMs: NOW - 500,
  ...given,
});
