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
  const columns = new Columns();
  const one = new GroupSums(columns);
  const groups = new SumsByKey<string | null>(columns);
  // Many hosts have the same set of traits: the hosts of a set are added up before their sum counts for each trait.
  const sets = new SumsByKey<ReadonlySet<string>>(columns);
  const add = (host: CloudHost): void => {
    one.startWith(host);
    further?.(host, one);
    const keys = KEYS[grouping](host);
    if (keys instanceof Set) sets.of(keys).addAll(one);
    else for (const key of keys) groups.of(key).addAll(one);
  };
  await tasks.forEach(hosts, add, caller);
  await tasks.forEach(sets.all, ([keys, sums]) => keys.forEach((key) => groups.of(key).addAll(sums)), caller);
  return groups.all;
}

class SumsByKey<K> {
  readonly all = new Map<K, GroupSums>();

  constructor(private readonly columns: Columns) {}

  of(key: K): GroupSums {
    let sums = this.all.get(key);
    if (sums === undefined) this.all.set(key, (sums = new GroupSums(this.columns)));
    return sums;
  }
}

/** Of a resource class: inventories, total, reserved, capacity, used, free, usable. */
const CLASS_AMOUNTS = 7;

interface ClassColumns {
  readonly first: number;
  /** Counts the classes. */
  readonly number: number;
}

/** The columns of the sums: one block per resource class, and one per name. */
class Columns {
  readonly classes = new Map<string, ClassColumns>();
  /** The first column of each name. */
  readonly names = new Map<string, number>();
  width = 0;

  ofClass(resourceClass: string): ClassColumns {
    let columns = this.classes.get(resourceClass);
    if (columns === undefined) {
      columns = { first: this.width, number: this.classes.size };
      this.classes.set(resourceClass, columns);
      this.width += CLASS_AMOUNTS;
    }
    return columns;
  }

  of(name: string, count: number): number {
    let first = this.names.get(name);
    if (first === undefined) {
      first = this.width;
      this.names.set(name, first);
      this.width += count;
    }
    return first;
  }
}

export class GroupSums {
  private sums = new Float64Array(0);
  /** The largest possible amount and its host, by the number of the class. */
  private readonly largest: number[] = [];
  private readonly largestHosts: (CloudHost | null)[] = [];

  constructor(private readonly columns: Columns) {}

  /** Forgets what was added before. */
  startWith(host: CloudHost): void {
    this.sums.fill(0);
    this.largest.fill(0);
    const usable = isUsable(host.status);
    this.add(host.status, 1);
    for (const { inventories } of host.tree.providers) {
      for (const inventory of inventories) this.addInventory(host, inventory, usable);
    }
  }

  /** Always as many amounts under one name. */
  add(name: string, ...amounts: readonly number[]): void {
    const first = this.columns.of(name, amounts.length);
    this.widen();
    for (let at = 0; at < amounts.length; at += 1) this.increase(first + at, amounts[at] ?? 0);
  }

  addAll({ sums: others, largest, largestHosts }: GroupSums): void {
    this.widen();
    const { sums } = this;
    for (let at = 0; at < others.length; at += 1) sums[at] = (sums[at] ?? 0) + (others[at] ?? 0);
    for (let number = 0; number < largest.length; number += 1) {
      const host = largestHosts[number];
      if (host) this.raise(number, largest[number] ?? 0, host);
    }
  }

  private addInventory(host: CloudHost, inventory: Inventory, usable: boolean): void {
    const { first, number } = this.columns.ofClass(inventory.resourceClass);
    const free = freeOf(inventory);
    this.widen();
    this.increase(first, 1);
    this.increase(first + 1, inventory.total);
    this.increase(first + 2, inventory.reserved);
    this.increase(first + 3, inventory.capacity);
    this.increase(first + 4, inventory.used);
    this.increase(first + 5, free);
    if (!usable) return;
    this.increase(first + 6, free);
    this.raise(number, largestAmount(inventory), host);
  }

  /** Of several hosts with the largest amount, the first counts. */
  private raise(number: number, amount: number, host: CloudHost): void {
    const known = this.largest[number] ?? 0;
    if (amount < known || amount === 0) return;
    const holder = this.largestHosts[number];
    if (amount === known && holder && holder.tree.root.id <= host.tree.root.id) return;
    this.largest[number] = amount;
    this.largestHosts[number] = host;
  }

  private increase(column: number, amount: number): void {
    this.sums[column] = (this.sums[column] ?? 0) + amount;
  }

  private widen(): void {
    if (this.sums.length >= this.columns.width) return;
    const wider = new Float64Array(this.columns.width);
    wider.set(this.sums);
    this.sums = wider;
  }

  /** The sum under the name, of the amount at this position. */
  amount(name: string, at = 0): number {
    const first = this.columns.names.get(name);
    return first === undefined ? 0 : (this.sums[first + at] ?? 0);
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

  /** Only classes that occur in the group, ascending. */
  get classes(): ReadonlyMap<string, ClassAmounts> {
    const found = [...this.columns.classes].flatMap(([name, { first, number }]): [string, ClassAmounts][] => {
      const [inventories = 0, total = 0, reserved = 0, capacity = 0, used = 0, free = 0, usable = 0] =
        this.sums.subarray(first, first + CLASS_AMOUNTS);
      if (inventories === 0) return [];
      const largestFree = this.largest[number] ?? 0;
      const largestFreeHost = this.largestHosts[number] ?? null;
      const sums = { inventories, total, reserved, capacity, used, free, usable, largestFree, largestFreeHost };
      return [[name, sums]];
    });
    return new Map(found.sort(byText(([name]) => name)));
  }
}
