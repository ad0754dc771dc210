// Sums of the hosts' resources by zone, host aggregate, placement aggregate or trait, or over all hosts, in one pass. A
// host counts in every group that it belongs to.
import type { Inventory } from '../../placement/candidate-search';
import { largestAmount } from '../../placement/candidate-search';
import type { Caller } from '../../platform/event-loop/caller';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { byText } from '../../platform/values/text-order';
import type { CloudHost } from './cloud-host';
import type { HostStatus } from './host-status';
import { HOST_STATUSES, isUsable } from './host-status';
import type { ClassSum } from './tree-sums';
import { freeOf, traitsOf } from './tree-sums';

export const GROUPINGS = ['total', 'availability_zone', 'host_aggregate', 'placement_aggregate', 'trait'] as const;
export type Grouping = (typeof GROUPINGS)[number];

type Keys = readonly (string | null)[] | ReadonlySet<string>;

const NO_KEY: readonly null[] = [null];

/** The groups of a host; null: the group without a key. */
const KEYS: Readonly<Record<Grouping, (host: CloudHost) => Keys>> = {
  total: () => NO_KEY,
  availability_zone: ({ zone }) => [zone],
  host_aggregate: ({ known }) => orNone(known.aggregates.map(({ uuid }) => uuid)),
  placement_aggregate: ({ tree }) => orNone(tree.aggregates),
  trait: ({ tree }) => traitsOf(tree),
};

const orNone = (keys: readonly string[]): Keys => (keys.length === 0 ? NO_KEY : keys);

/** In units of the resource class. */
export interface ClassAmounts extends ClassSum {
  readonly inventories: number;
  /** The free amount on hosts that accept new instances. */
  readonly usable: number;
  /** The largest single allocation that is still possible on one of those hosts. */
  readonly largestFree: number;
  /** The host of that amount, the first of several; null: no host has any. */
  readonly largestFreeHost: CloudHost | null;
}

/** By key. Null: all hosts, or the hosts without any group of this kind. */
export type GroupedSums = ReadonlyMap<string | null, GroupSums>;

/** `further` adds more values to sum. Hosts are in ascending order of the ids of their roots. Throws CallerGone. */
export async function sumsByGroup(
  hosts: readonly CloudHost[],
  grouping: Grouping,
  further?: (host: CloudHost, sums: GroupSums) => void,
  caller?: Caller,
): Promise<GroupedSums> {
  const groups = new Map<string | null, GroupSums>();
  // Many hosts have the same set of traits: the hosts of a set are added up before their sum counts for each trait.
  const sets = new Map<ReadonlySet<string>, GroupSums>();
  const add = (host: CloudHost): void => {
    const sums = GroupSums.of(host);
    further?.(host, sums);
    const keys = KEYS[grouping](host);
    if (keys instanceof Set) sumsOf(sets, keys).addAll(sums);
    else for (const key of keys) sumsOf(groups, key).addAll(sums);
  };
  await tasks.forEach(hosts, add, caller);
  await tasks.forEach(sets, ([keys, sums]) => keys.forEach((key) => sumsOf(groups, key).addAll(sums)), caller);
  return groups;
}

function sumsOf<K>(known: Map<K, GroupSums>, key: K): GroupSums {
  let sums = known.get(key);
  if (sums === undefined) known.set(key, (sums = new GroupSums()));
  return sums;
}

type Sum = { -readonly [F in keyof ClassAmounts]: ClassAmounts[F] };

export class GroupSums {
  private readonly byClass = new Map<string, Sum>();
  private readonly byName = new Map<string, number[]>();

  static of(host: CloudHost): GroupSums {
    const sums = new GroupSums();
    const usable = isUsable(host.status);
    sums.add(host.status, 1);
    for (const { inventories } of host.tree.providers) {
      for (const inventory of inventories) sums.addClass(inventory.resourceClass, amountsOf(inventory, host, usable));
    }
    return sums;
  }

  /** Always as many amounts under one name. */
  add(name: string, ...amounts: readonly number[]): void {
    const known = this.byName.get(name);
    if (known === undefined) this.byName.set(name, [...amounts]);
    else for (const [at, amount] of amounts.entries()) known[at] = (known[at] ?? 0) + amount;
  }

  addAll({ byClass, byName }: GroupSums): void {
    for (const [name, amounts] of byName) this.add(name, ...amounts);
    for (const [name, amounts] of byClass) this.addClass(name, amounts);
  }

  private addClass(name: string, amounts: ClassAmounts): void {
    const sum = this.byClass.get(name);
    if (sum === undefined) {
      this.byClass.set(name, { ...amounts });
      return;
    }
    sum.inventories += amounts.inventories;
    sum.total += amounts.total;
    sum.reserved += amounts.reserved;
    sum.capacity += amounts.capacity;
    sum.used += amounts.used;
    sum.free += amounts.free;
    sum.usable += amounts.usable;
    const { largestFree, largestFreeHost: host } = amounts;
    // Of several hosts with the largest amount, the first counts.
    const isEarlier = (host?.tree.root.id ?? 0) < (sum.largestFreeHost?.tree.root.id ?? 0);
    if (largestFree < sum.largestFree || (largestFree === sum.largestFree && !isEarlier)) return;
    sum.largestFree = largestFree;
    sum.largestFreeHost = host;
  }

  /** The sum under the name, of the amount at this position. */
  amount(name: string, at = 0): number {
    return this.byName.get(name)?.[at] ?? 0;
  }

  /** Hosts by status; only statuses that occur. */
  get statuses(): ReadonlyMap<HostStatus, number> {
    const counts = HOST_STATUSES.map((status): [HostStatus, number] => [status, this.amount(status)]);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  get hosts(): number {
    return HOST_STATUSES.reduce((sum, status) => sum + this.amount(status), 0);
  }

  get hostsUsable(): number {
    return HOST_STATUSES.filter(isUsable).reduce((sum, status) => sum + this.amount(status), 0);
  }

  /** Ascending. */
  get classes(): ReadonlyMap<string, ClassAmounts> {
    return new Map([...this.byClass].sort(byText(([name]) => name)));
  }
}

function amountsOf(inventory: Inventory, host: CloudHost, usable: boolean): ClassAmounts {
  const { total, reserved, capacity, used } = inventory;
  const free = freeOf(inventory);
  const largestFree = usable ? largestAmount(inventory) : 0;
  const sums = { inventories: 1, total, reserved, capacity, used, free, usable: usable ? free : 0 };
  return { ...sums, largestFree, largestFreeHost: largestFree > 0 ? host : null };
}
