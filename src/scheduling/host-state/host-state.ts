// The host state: what filters and weighers see of one host. build-host-state.ts makes one, charge-host.ts the next one
// after an instance was placed.

import type { HostNumaTopology, NumaLimits } from '../numa/numa-topology';
import type { PciPool } from '../pci/pci-pool';
import { findInventory } from '../../candidate-search';
import type { Candidate, Inventory, Provider } from '../../candidate-search';

/** A host aggregate of the host. */
export interface HostAggregate {
  readonly uuid: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The compute service of a host. Times are milliseconds since the epoch. */
export interface HostService {
  readonly disabled: boolean;
  readonly disabledReason: string | null;
  readonly forcedDown: boolean;
  /** Its last report; null when it never reported. */
  readonly lastSeenUpMs: number | null;
  readonly createdAtMs: number;
}

/** One instance on a host, as far as filters and weighers read it. */
export interface HostInstance {
  readonly uuid: string;
  readonly projectId: string | null;
  /** Name of its flavor. */
  readonly flavor: string | null;
  readonly imageProperties: Readonly<Record<string, string>>;
}

/** A number that a host reports about itself. */
export interface HostMetric {
  readonly name: string;
  readonly value: number;
  readonly unit: string | null;
  readonly measuredAtMs: number | null;
}

/**
 * Everything filters and weighers see of one host; `spec/host-state.md` says where each value comes from. States are
 * immutable: charging or narrowing one makes another.
 */
export interface HostState {
  readonly host: string;
  readonly node: string;
  /** The root provider. */
  readonly uuid: string;
  readonly cell: string | null;
  readonly totalUsableRamMb: number;
  /** May be negative. */
  readonly freeRamMb: number;
  readonly totalUsableDiskGb: number;
  /** May be negative. */
  readonly freeDiskMb: number;
  readonly diskMbUsed: number;
  readonly vcpusTotal: number;
  readonly vcpusUsed: number;
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  readonly diskAllocationRatio: number;
  readonly numInstances: number;
  readonly numIoOps: number;
  /** Consecutive failed builds. */
  readonly failedBuilds: number;
  readonly stats: Readonly<Record<string, string>>;
  readonly hostIp: string | null;
  readonly hypervisorType: string | null;
  /** x.y.z as x·10⁶ + y·10³ + z. */
  readonly hypervisorVersion: number | null;
  readonly hypervisorHostname: string | null;
  /** JSON text where the host reported text, else the object it reported. */
  readonly cpuInfo: unknown;
  /** [architecture, hypervisor type, VM mode] triples. */
  readonly supportedInstances: readonly (readonly string[])[];
  readonly metrics: readonly HostMetric[];
  readonly numaTopology: HostNumaTopology | null;
  /** Null: the host reports no PCI data. */
  readonly pciPools: readonly PciPool[] | null;
  /** Host aggregates that name the host. The array is the same object for hosts in the same aggregates. */
  readonly aggregates: readonly HostAggregate[];
  /** Null: nobody reported the host, so its service counts as up. */
  readonly service: HostService | null;
  /** Instances on the host by uuid, those Berth placed and no report lists yet included. */
  readonly instances: ReadonlyMap<string, HostInstance>;
  /** What filters left for the compute host to check again. */
  readonly limits: HostLimits;
  /** Traits of the root provider. */
  readonly traits: ReadonlySet<string>;
  /** What can be claimed on this host, in placement's order. */
  readonly candidates: readonly Candidate[];
  /** When the newest report or charge was, or null. */
  readonly updatedAtMs: number | null;
}

/** Limits by name. `numa` is the NUMA filter's, the others those of the legacy core, RAM and disk filters. */
export interface HostLimits {
  readonly numa?: NumaLimits;
  readonly vcpu?: number;
  readonly memoryMb?: number;
  readonly diskGb?: number;
}

/** The state with these candidates. Written out: this happens for every host of a request, and spreading is slow. */
export function withCandidates(state: HostState, candidates: readonly Candidate[]): HostState {
  return {
    host: state.host,
    node: state.node,
    uuid: state.uuid,
    cell: state.cell,
    totalUsableRamMb: state.totalUsableRamMb,
    freeRamMb: state.freeRamMb,
    totalUsableDiskGb: state.totalUsableDiskGb,
    freeDiskMb: state.freeDiskMb,
    diskMbUsed: state.diskMbUsed,
    vcpusTotal: state.vcpusTotal,
    vcpusUsed: state.vcpusUsed,
    cpuAllocationRatio: state.cpuAllocationRatio,
    ramAllocationRatio: state.ramAllocationRatio,
    diskAllocationRatio: state.diskAllocationRatio,
    numInstances: state.numInstances,
    numIoOps: state.numIoOps,
    failedBuilds: state.failedBuilds,
    stats: state.stats,
    hostIp: state.hostIp,
    hypervisorType: state.hypervisorType,
    hypervisorVersion: state.hypervisorVersion,
    hypervisorHostname: state.hypervisorHostname,
    cpuInfo: state.cpuInfo,
    supportedInstances: state.supportedInstances,
    metrics: state.metrics,
    numaTopology: state.numaTopology,
    pciPools: state.pciPools,
    aggregates: state.aggregates,
    service: state.service,
    instances: state.instances,
    limits: state.limits,
    traits: state.traits,
    candidates,
    updatedAtMs: state.updatedAtMs,
  };
}

type HostNames = Pick<HostState, 'host' | 'node' | 'uuid'>;

/**
 * A state with these facts, and with none where none are given. Made blank and then filled: what is spread from several
 * objects has a shape that V8 does not learn, and cost a batch 6 % of its CPU.
 */
export function hostStateOf(names: HostNames, ...facts: readonly Partial<HostState>[]): HostState {
  const state = blankHostState(names) as unknown as Record<string, unknown>;
  for (const some of facts) {
    for (const key of Object.keys(some)) state[key] = some[key as keyof HostState];
  }
  return state as unknown as HostState;
}

/** A host of which nothing is known but its names: every count 0, every report absent. */
export function blankHostState({ host, node, uuid }: HostNames): HostState {
  return {
    host,
    node,
    uuid,
    cell: null,
    totalUsableRamMb: 0,
    freeRamMb: 0,
    totalUsableDiskGb: 0,
    freeDiskMb: 0,
    diskMbUsed: 0,
    vcpusTotal: 0,
    vcpusUsed: 0,
    cpuAllocationRatio: 1,
    ramAllocationRatio: 1,
    diskAllocationRatio: 1,
    numInstances: 0,
    numIoOps: 0,
    failedBuilds: 0,
    stats: {},
    hostIp: null,
    hypervisorType: null,
    hypervisorVersion: null,
    hypervisorHostname: null,
    cpuInfo: null,
    supportedInstances: [],
    metrics: [],
    numaTopology: null,
    pciPools: null,
    aggregates: [],
    service: null,
    instances: new Map(),
    limits: {},
    traits: new Set(),
    candidates: [],
    updatedAtMs: null,
  };
}

/** Providers by uuid, as they were when the candidates were found. */
export type ProviderSummaries = ReadonlyMap<string, Provider>;

type SumOfTree = Pick<Inventory, 'total' | 'reserved' | 'capacity' | 'used' | 'allocationRatio'>;

/** What a tree has of one class, its providers summed; the ratio is that of the provider with the largest total. */
export function sumOfTree(tree: readonly Provider[], resourceClass: string): SumOfTree {
  let [total, reserved, capacity, used] = [0, 0, 0, 0];
  let largest = -1;
  let allocationRatio = 1;
  for (const provider of tree) {
    const record = findInventory(provider, resourceClass);
    if (record === undefined) continue;
    total += record.total;
    reserved += record.reserved;
    capacity += record.capacity;
    used += record.used;
    if (record.total > largest) ({ total: largest, allocationRatio } = record);
  }
  return { total, reserved, capacity, used, allocationRatio };
}

/** The key under which the metadata of a host aggregate names its availability zone. */
export const ZONE_KEY = 'availability_zone';

/** The zone that host aggregates name, the first that names one; undefined: none does. */
export function namedZone(aggregates: readonly HostAggregate[]): string | undefined {
  for (const { metadata } of aggregates) {
    if (metadata[ZONE_KEY] !== undefined) return metadata[ZONE_KEY];
  }
  return undefined;
}

/** The zone of a host: that of its aggregates, else the default. */
export const zoneOf = ({ aggregates }: Pick<HostState, 'aggregates'>, defaultZone: string): string =>
  namedZone(aggregates) ?? defaultZone;
