// What groups of hosts have, summed: by zone, host aggregate, placement aggregate or trait, or all hosts together. A host
// counts in every group that it belongs to. Pure.
import type { Walk } from '../../domain/walk';
import { isUsable } from '../cloud/host-status';
import type { HostStatus } from '../cloud/host-status';
import type { Cloud, CloudHost } from '../cloud/reported-cloud';
import { sumsOf } from '../cloud/tree-sums';

export const GROUPINGS = ['total', 'availability_zone', 'host_aggregate', 'placement_aggregate', 'trait'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** In units of the resource class. */
export interface GroupAmounts {
  total: number;
  reserved: number;
  capacity: number;
  used: number;
  free: number;
  /** What is free on hosts that take something new. */
  usable: number;
  /** The largest amount that can still be asked of one of those hosts in one piece. */
  largestFree: number;
  /** Which of them that is; null: none has anything left. The first by name of several. */
  largestFreeHost: CloudHost | null;
}

export interface CapacityGroup {
  /** Null: all hosts, or those that belong to no group of this kind. */
  readonly key: string | null;
  readonly name: string | null;
  readonly rootIds: readonly number[];
  readonly hosts: number;
  readonly hostsUsable: number;
  /** Hosts by status; none has 0. */
  readonly statuses: ReadonlyMap<HostStatus, number>;
  /** Of hosts that are there for themselves: whoever uses what another shares is an instance of its own host already. */
  readonly instances: number;
  /** Ascending by class. */
  readonly classes: ReadonlyMap<string, Readonly<GroupAmounts>>;
}

/** Hosts that belong to the very same groups are summed once. */
interface Bucket {
  readonly first: CloudHost;
  readonly rootIds: number[];
  hosts: number;
  hostsUsable: number;
  readonly statuses: Map<HostStatus, number>;
  instances: number;
  readonly classes: Map<string, GroupAmounts>;
}

/** Hosts summed between two chances of others, and buckets put into groups. */
const HOSTS_PER_STEP = 250;
const BUCKETS_PER_STEP = 50;

/** Of these classes only, where some are given. The group without a key comes last, the others by name. */
export function* capacityGroups(
  { hosts, hostAggregates }: Cloud,
  grouping: Grouping,
  wanted: ReadonlySet<string>,
  instancesOf: (host: CloudHost) => number,
): Walk<readonly CapacityGroup[]> {
  const buckets = new Map<unknown, Bucket>();
  for (const [at, host] of hosts.entries()) {
    if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
    const key = SAME_GROUPS[grouping](host);
    let bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, (bucket = newBucket(host)));
    addHost(bucket, host, wanted);
    if (host.status !== 'sharing') bucket.instances += instancesOf(host);
  }
  const groups = new Map<string | null, Bucket>();
  let put = 0;
  for (const bucket of buckets.values()) {
    for (const key of KEYS[grouping](bucket.first)) {
      if ((put += 1) % BUCKETS_PER_STEP === 0) yield;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, addBucket(newBucket(bucket.first), bucket));
      else addBucket(group, bucket);
    }
  }
  const names = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
  const isOfAggregates = grouping === 'host_aggregate' || grouping === 'placement_aggregate';
  const nameOf = (key: string | null): string | null =>
    key !== null && isOfAggregates ? (names.get(key) ?? null) : key;
  return [...groups]
    .map(([key, { first: _, hosts: count, classes, ...rest }]): CapacityGroup => {
      const sorted = new Map([...classes].sort(([a], [b]) => (a < b ? -1 : 1)));
      return { ...rest, key, name: nameOf(key), hosts: count, classes: sorted };
    })
    .sort(byName);
}

/** What hosts have in common that belong to the same groups. */
const SAME_GROUPS: Readonly<Record<Grouping, (host: CloudHost) => unknown>> = {
  total: () => null,
  availability_zone: ({ zone }) => zone,
  // Hosts of the same host aggregates share one list of them.
  host_aggregate: ({ known }) => known.aggregates,
  placement_aggregate: ({ tree }) => tree.aggregates.join(),
  trait: ({ tree }) => sumsOf(tree).traitsText,
};

const KEYS: Readonly<Record<Grouping, (host: CloudHost) => Iterable<string | null>>> = {
  total: () => [null],
  availability_zone: ({ zone }) => [zone],
  host_aggregate: ({ known }) => orNone(known.aggregates.map(({ uuid }) => uuid)),
  placement_aggregate: ({ tree }) => orNone(tree.aggregates),
  trait: ({ tree }) => sumsOf(tree).traits,
};

const orNone = (keys: readonly string[]): readonly (string | null)[] => (keys.length === 0 ? [null] : keys);

const newBucket = (first: CloudHost): Bucket => ({
  first,
  rootIds: [],
  hosts: 0,
  hostsUsable: 0,
  statuses: new Map(),
  instances: 0,
  classes: new Map(),
});

function addHost(bucket: Bucket, host: CloudHost, wanted: ReadonlySet<string>): void {
  const usable = isUsable(host.status);
  bucket.rootIds.push(host.tree.root.id);
  bucket.hosts += 1;
  if (usable) bucket.hostsUsable += 1;
  bucket.statuses.set(host.status, (bucket.statuses.get(host.status) ?? 0) + 1);
  const { classes, largest } = sumsOf(host.tree);
  for (const [name, sum] of classes) {
    if (wanted.size > 0 && !wanted.has(name)) continue;
    const largestFree = usable ? (largest.get(name) ?? 0) : 0;
    addAmounts(bucket.classes, name, {
      ...sum,
      usable: usable ? sum.free : 0,
      largestFree,
      largestFreeHost: largestFree > 0 ? host : null,
    });
  }
}

function addBucket(group: Bucket, { rootIds, hosts, hostsUsable, statuses, instances, classes }: Bucket): Bucket {
  for (const id of rootIds) group.rootIds.push(id);
  group.hosts += hosts;
  group.hostsUsable += hostsUsable;
  group.instances += instances;
  for (const [status, count] of statuses) group.statuses.set(status, (group.statuses.get(status) ?? 0) + count);
  for (const [name, amounts] of classes) addAmounts(group.classes, name, { ...amounts });
  return group;
}

function addAmounts(classes: Map<string, GroupAmounts>, name: string, more: GroupAmounts): void {
  const known = classes.get(name);
  if (known === undefined) {
    classes.set(name, more);
    return;
  }
  known.total += more.total;
  known.reserved += more.reserved;
  known.capacity += more.capacity;
  known.used += more.used;
  known.free += more.free;
  known.usable += more.usable;
  if (more.largestFreeHost === null || more.largestFree < known.largestFree) return;
  if (more.largestFree === known.largestFree && !isBefore(more.largestFreeHost, known.largestFreeHost)) return;
  known.largestFree = more.largestFree;
  known.largestFreeHost = more.largestFreeHost;
}

const isBefore = (one: CloudHost, other: CloudHost | null): boolean =>
  other === null || one.tree.root.name < other.tree.root.name;

function byName(one: CapacityGroup, other: CapacityGroup): number {
  if (one.key === null || other.key === null) return one.key === other.key ? 0 : one.key === null ? 1 : -1;
  const [a, b] = [`${one.name ?? ''} ${one.key}`, `${other.name ?? ''} ${other.key}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
