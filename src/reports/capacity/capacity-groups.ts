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
  readonly total: number;
  readonly reserved: number;
  readonly capacity: number;
  readonly used: number;
  readonly free: number;
  /** What is free on hosts that take something new. */
  readonly usable: number;
  /** The largest amount that can still be asked of one of those hosts in one piece. */
  readonly largestFree: number;
  /** Which of them that is; null: none has anything left. The first that was made of several. */
  readonly largestFreeHost: CloudHost | null;
}

export interface CapacityGroup {
  /** Null: all hosts, or those that belong to no group of this kind. */
  readonly key: string | null;
  readonly name: string | null;
  readonly rootIds: () => readonly number[];
  readonly hosts: number;
  readonly hostsUsable: number;
  /** Hosts by status; none has 0. */
  readonly statuses: ReadonlyMap<HostStatus, number>;
  /** Of hosts that are there for themselves: whoever uses what another shares is an instance of its own host already. */
  readonly instances: number;
  /** Ascending by class. */
  readonly classes: ReadonlyMap<string, GroupAmounts>;
}

const AMOUNTS = ['total', 'reserved', 'capacity', 'used', 'free', 'usable', 'largestFree'] as const;
const SUMMED = AMOUNTS.indexOf('largestFree');

/**
 * Amounts for hosts that belong to the very same groups, or for the hosts of one group. By the number of the class, in
 * arrays of numbers: objects would take memory anew with every sum that outgrows a small integer, and there are millions.
 */
class Sums {
  hosts = 0;
  hostsUsable = 0;
  readonly statuses = new Map<HostStatus, number>();
  instances = 0;
  private amounts = new Float64Array(AMOUNTS.length * 4);
  /** Those that have the largest amount; undefined where there is none of the class. */
  private readonly largest: (CloudHost | null | undefined)[] = [];

  addHost(host: CloudHost, numbers: ClassNumbers, instances: number): void {
    const usable = isUsable(host.status);
    this.hosts += 1;
    if (usable) this.hostsUsable += 1;
    this.count(host.status, 1);
    if (host.status !== 'sharing') this.instances += instances;
    const { classes, largest } = sumsOf(host.tree);
    for (const [name, sum] of classes) {
      const number = numbers.of(name);
      if (number === undefined) continue;
      const at = this.placeOf(number);
      const { amounts } = this;
      // In the order of AMOUNTS. Written out: to look fields up by their names takes ten times as long.
      amounts[at]! += sum.total;
      amounts[at + 1]! += sum.reserved;
      amounts[at + 2]! += sum.capacity;
      amounts[at + 3]! += sum.used;
      amounts[at + 4]! += sum.free;
      if (!usable) continue;
      amounts[at + 5]! += sum.free;
      this.offer(number, largest.get(name) ?? 0, host);
    }
  }

  add(other: Sums): void {
    this.hosts += other.hosts;
    this.hostsUsable += other.hostsUsable;
    this.instances += other.instances;
    for (const [status, count] of other.statuses) this.count(status, count);
    for (let number = 0; number < other.largest.length; number += 1) {
      const host = other.largest[number];
      if (host === undefined) continue;
      const [at, from] = [this.placeOf(number), number * AMOUNTS.length];
      for (let field = 0; field < SUMMED; field += 1) this.amounts[at + field]! += other.amounts[from + field] ?? 0;
      if (host !== null) this.offer(number, other.amounts[from + SUMMED] ?? 0, host);
    }
  }

  /** Undefined: none of the hosts has any of it. */
  of(number: number): GroupAmounts | undefined {
    const largestFreeHost = this.largest[number];
    if (largestFreeHost === undefined) return undefined;
    const at = number * AMOUNTS.length;
    const amounts = Object.fromEntries(AMOUNTS.map((name, field) => [name, this.amounts[at + field] ?? 0]));
    return { ...(amounts as Record<(typeof AMOUNTS)[number], number>), largestFreeHost };
  }

  private count(status: HostStatus, more: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + more);
  }

  private placeOf(number: number): number {
    const at = number * AMOUNTS.length;
    while (at + AMOUNTS.length > this.amounts.length) {
      const larger = new Float64Array(this.amounts.length * 2);
      larger.set(this.amounts);
      this.amounts = larger;
    }
    while (this.largest.length < number) this.largest.push(undefined);
    this.largest[number] ??= null;
    return at;
  }

  /** Of several that have as much, the one that was made first. */
  private offer(number: number, amount: number, host: CloudHost): void {
    const at = number * AMOUNTS.length + SUMMED;
    const most = this.amounts[at] ?? 0;
    const known = this.largest[number] ?? null;
    if (amount === 0 || amount < most) return;
    if (amount === most && known !== null && known.tree.root.id < host.tree.root.id) return;
    this.amounts[at] = amount;
    this.largest[number] = host;
  }
}

/** Hosts that belong to the very same groups are summed once. */
interface Bucket {
  readonly first: CloudHost;
  readonly rootIds: number[];
  readonly sums: Sums;
}

interface Group {
  readonly buckets: Bucket[];
  readonly sums: Sums;
}

/** Hosts summed between two chances of others, and buckets put into groups. */
const HOSTS_PER_STEP = 250;
const PUTS_PER_STEP = 1_000;

/** Of these classes only, where some are given. The group without a key comes last, the others by name. */
export function* capacityGroups(
  { hosts, hostAggregates }: Pick<Cloud, 'hosts' | 'hostAggregates'>,
  grouping: Grouping,
  wanted: ReadonlySet<string>,
  instancesOf: (host: CloudHost) => number,
): Walk<readonly CapacityGroup[]> {
  const classes = new ClassNumbers(wanted);
  const buckets = new Map<unknown, Bucket>();
  for (const [at, host] of hosts.entries()) {
    if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
    const key = SAME_GROUPS[grouping](host);
    let bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, (bucket = { first: host, rootIds: [], sums: new Sums() }));
    bucket.rootIds.push(host.tree.root.id);
    bucket.sums.addHost(host, classes, instancesOf(host));
  }
  const groups = new Map<string | null, Group>();
  let put = 0;
  for (const bucket of buckets.values()) {
    for (const key of KEYS[grouping](bucket.first)) {
      if ((put += 1) % PUTS_PER_STEP === 0) yield;
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = { buckets: [], sums: new Sums() }));
      group.buckets.push(bucket);
      group.sums.add(bucket.sums);
    }
  }
  const names = new Map(hostAggregates.map(({ uuid, name }) => [uuid, name]));
  const isOfAggregates = grouping === 'host_aggregate' || grouping === 'placement_aggregate';
  const nameOf = (key: string | null): string | null =>
    key !== null && isOfAggregates ? (names.get(key) ?? null) : key;
  return [...groups].map(([key, group]) => capacityGroup(group, { key, name: nameOf(key) }, classes)).sort(byName);
}

const capacityGroup = (
  { buckets, sums }: Group,
  called: Pick<CapacityGroup, 'key' | 'name'>,
  classes: ClassNumbers,
): CapacityGroup => ({
  ...called,
  hosts: sums.hosts,
  hostsUsable: sums.hostsUsable,
  statuses: sums.statuses,
  instances: sums.instances,
  classes: classes.named(sums),
  rootIds: () => buckets.flatMap(({ rootIds }) => rootIds),
});

/** Classes by number, as they are met; those that are not wanted have none. */
class ClassNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];

  constructor(private readonly wanted: ReadonlySet<string>) {}

  of(name: string): number | undefined {
    let number = this.numbers.get(name);
    if (number === undefined && (this.wanted.size === 0 || this.wanted.has(name))) {
      number = this.names.push(name) - 1;
      this.numbers.set(name, number);
    }
    return number;
  }

  /** Ascending by class. */
  named(sums: Sums): ReadonlyMap<string, GroupAmounts> {
    const found = this.names.flatMap((name, number): [string, GroupAmounts][] => {
      const amounts = sums.of(number);
      return amounts === undefined ? [] : [[name, amounts]];
    });
    return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
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

function byName(one: CapacityGroup, other: CapacityGroup): number {
  if (one.key === null || other.key === null) return one.key === other.key ? 0 : one.key === null ? 1 : -1;
  const [a, b] = [`${one.name ?? ''} ${one.key}`, `${other.name ?? ''} ${other.key}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
