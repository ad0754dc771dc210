// The host state: what filters and weighers see of one host. Built from the host's row and its provider tree, charged
// in memory for every instance the same request places; a charge makes a new state, the old one is left as it was.

import type { Candidate, ProviderSummaries, ProviderSummary } from '../request/candidate';

/** A host aggregate of the host. */
export interface HostAggregate {
  readonly uuid: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface HostState {
  readonly host: string;
  readonly node: string;
  /** The root provider. */
  readonly uuid: string;
  readonly cell: string | null;
  /** Capacity of MEMORY_MB in the tree; free is that minus what is used, and may be negative. */
  readonly totalUsableRamMb: number;
  readonly freeRamMb: number;
  /** Capacity and use of VCPU in the tree. */
  readonly vcpusTotal: number;
  readonly vcpusUsed: number;
  /** Capacity of DISK_GB in the tree; shared disks are not the host's own. */
  readonly totalUsableDiskGb: number;
  readonly freeDiskMb: number;
  /** Distinct consumers with an allocation in the tree. */
  readonly numInstances: number;
  readonly instances: ReadonlySet<string>;
  readonly aggregates: readonly HostAggregate[];
  /** Traits of the root provider. */
  readonly traits: ReadonlySet<string>;
  /** What can be claimed on this host, in placement's order. */
  readonly candidates: readonly Candidate[];
}

/** What is known of a host besides its providers. */
export interface HostIdentity {
  readonly uuid: string;
  readonly host: string;
  readonly node: string;
  readonly cell?: string | null;
  readonly instances: readonly string[];
  readonly aggregates?: readonly HostAggregate[];
}

/** The providers of each tree, by root uuid. A sharing provider is its own root and no part of a host's tree. */
export function treesOf(summaries: ProviderSummaries): ReadonlyMap<string, readonly ProviderSummary[]> {
  const trees = new Map<string, ProviderSummary[]>();
  for (const summary of Object.values(summaries)) {
    const tree = trees.get(summary.rootUuid);
    if (tree === undefined) trees.set(summary.rootUuid, [summary]);
    else tree.push(summary);
  }
  return trees;
}

/** The state of one host: totals are capacities of its whole tree, `free` is capacity minus use. */
export function buildHostState(
  row: HostIdentity,
  tree: readonly ProviderSummary[],
  candidates: readonly Candidate[],
): HostState {
  const ram = sumOf(tree, 'MEMORY_MB');
  const vcpus = sumOf(tree, 'VCPU');
  const disk = sumOf(tree, 'DISK_GB');
  const instances = new Set(row.instances);
  const root = tree.find((provider) => provider.parentUuid === null);
  return {
    host: row.host,
    node: row.node,
    uuid: row.uuid,
    cell: row.cell ?? null,
    totalUsableRamMb: ram.capacity,
    freeRamMb: ram.capacity - ram.used,
    vcpusTotal: vcpus.capacity,
    vcpusUsed: vcpus.used,
    totalUsableDiskGb: disk.capacity,
    freeDiskMb: (disk.capacity - disk.used) * 1024,
    numInstances: instances.size,
    instances,
    aggregates: row.aggregates ?? [],
    traits: new Set(root?.traits ?? []),
    candidates,
  };
}

function sumOf(tree: readonly ProviderSummary[], resourceClass: string): { capacity: number; used: number } {
  let capacity = 0;
  let used = 0;
  for (const { resources } of tree) {
    const record = Object.hasOwn(resources, resourceClass) ? resources[resourceClass] : undefined;
    capacity += record?.capacity ?? 0;
    used += record?.used ?? 0;
  }
  return { capacity, used };
}

/**
 * The state after an instance was placed by this candidate: charged is what placement was asked for, on providers of
 * the host's own tree, and the instance counts and is listed.
 */
export function chargeHost(
  state: HostState,
  instanceUuid: string,
  candidate: Candidate,
  summaries: ProviderSummaries,
): HostState {
  const own = Object.entries(candidate.allocations).filter(([uuid]) => summaries[uuid]?.rootUuid === state.uuid);
  const charged = (resourceClass: string): number =>
    own.reduce((sum, [, { resources }]) => sum + (resources[resourceClass] ?? 0), 0);
  const instances = new Set([...state.instances, instanceUuid]);
  return {
    ...state,
    freeRamMb: state.freeRamMb - charged('MEMORY_MB'),
    vcpusUsed: state.vcpusUsed + charged('VCPU'),
    freeDiskMb: state.freeDiskMb - charged('DISK_GB') * 1024,
    numInstances: instances.size,
    instances,
  };
}

/** The zone of a host: that of its aggregates, else the default. */
export function zoneOf(state: Pick<HostState, 'aggregates'>, defaultZone: string): string {
  for (const { metadata } of state.aggregates) {
    if (metadata['availability_zone'] !== undefined) return metadata['availability_zone'];
  }
  return defaultZone;
}
