// The host state: the view of filters and weighers on one host. build-host-state.ts creates it; charge-host.ts updates
// it after a placement.

import type { Candidate, Inventory, Provider } from '../../placement/candidate-search';
import { findInventory } from '../../placement/candidate-search';
import type { HostNumaTopology, NumaLimits } from '../request-spec/numa-topology';
import type { PciPool } from '../request-spec/pci-pool';

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
  /** Its last report; null if it never reported. */
  readonly lastSeenUpMs: number | null;
  readonly createdAtMs: number;
  /** The last change by an operator: since then it is disabled or forced down, if it is. Null or absent: unknown. */
  readonly updatedAtMs?: number | null;
}

/** One instance on a host, with the facts that filters and weighers use. */
export interface HostInstance {
  readonly uuid: string;
  readonly projectId: string | null;
  /** Name of its flavor. */
  readonly flavor: string | null;
  readonly imageProperties: Readonly<Record<string, string>>;
}

/** A metric that a host reports. */
export interface HostMetric {
  readonly name: string;
  readonly value: number;
  readonly unit: string | null;
  readonly measuredAtMs: number | null;
}

/**
 * All facts about one host for filters and weighers; `spec/host-state.md` lists the source of each. States are
 * immutable: charging or narrowing one creates another.
 */
export interface HostState {
  readonly host: string;
  readonly node: string;
  /** The root provider. */
  readonly uuid: string;
  readonly cell: string | null;
  readonly totalUsableRamMb: number;
  /** Can be negative. */
  readonly freeRamMb: number;
  readonly totalUsableDiskGb: number;
  /** Can be negative. */
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
  /** JSON text if the host reported text, otherwise the reported object. */
  readonly cpuInfo: unknown;
  /** [architecture, hypervisor type, VM mode] triples. */
  readonly supportedInstances: readonly (readonly string[])[];
  readonly metrics: readonly HostMetric[];
  readonly numaTopology: HostNumaTopology | null;
  /** Null: the host reports no PCI data. */
  readonly pciPools: readonly PciPool[] | null;
  /** The host's aggregates. Hosts in the same aggregates share one array object. */
  readonly aggregates: readonly HostAggregate[];
  /** Null: no report exists, so the service counts as up. */
  readonly service: HostService | null;
  /** Instances on the host by uuid, including Berth's placements that no report lists yet. */
  readonly instances: ReadonlyMap<string, HostInstance>;
  /** Limits from filters, which the compute host checks again. */
  readonly limits: HostLimits;
  /** Traits of the root provider. */
  readonly traits: ReadonlySet<string>;
  /** The claimable candidates of this host, in Placement's order. */
  readonly candidates: readonly Candidate[];
  /** Time of the newest report or charge, or null. */
  readonly updatedAtMs: number | null;
}

/** Limits by name. `numa` comes from the NUMA filter, the others from the legacy core, RAM and disk filters. */
export interface HostLimits {
  readonly numa?: NumaLimits;
  readonly vcpu?: number;
  readonly memoryMb?: number;
  readonly diskGb?: number;
}

/**
 * The state with these candidates. Written out, because it runs for every host of a request and object spread is slow.
 */
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
 * A blank state with these facts. Filled field by field: objects spread from several sources have shapes that V8 does
 * not optimise, which cost a batch 6 % of its CPU.
 */
export function hostStateOf(names: HostNames, ...facts: readonly Partial<HostState>[]): HostState {
  const state = blankHostState(names) as unknown as Record<string, unknown>;
  for (const some of facts) {
    for (const key of Object.keys(some)) state[key] = some[key as keyof HostState];
  }
  return state as unknown as HostState;
}

/** A host with known names only: every count is 0, every report absent. */
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

/** Providers by uuid at the time of the candidate search. */
export type ProviderSummaries = ReadonlyMap<string, Provider>;

/** A provider of the candidate: its own, or that of the answer it came with. */
export const providerOf = (candidate: Candidate, uuid: string, summaries: ProviderSummaries): Provider | undefined =>
  candidate.providers?.find((provider) => provider.uuid === uuid) ?? summaries.get(uuid);

type SumOfTree = Pick<Inventory, 'total' | 'reserved' | 'capacity' | 'used' | 'allocationRatio'>;

/** A tree's inventory of one class, summed over providers; the ratio is that of the provider with the largest total. */
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

/** Metadata key of host aggregates for the availability zone. */
export const ZONE_KEY = 'availability_zone';

/** The first zone among the host aggregates; undefined if there is none. */
export function namedZone(aggregates: readonly HostAggregate[]): string | undefined {
  for (const { metadata } of aggregates) {
    if (metadata[ZONE_KEY] !== undefined) return metadata[ZONE_KEY];
  }
  return undefined;
}

/** The zone of a host: from its aggregates, otherwise the default. */
export const zoneOf = ({ aggregates }: Pick<HostState, 'aggregates'>, defaultZone: string): string =>
  namedZone(aggregates) ?? defaultZone;
