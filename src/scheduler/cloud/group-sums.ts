// Sums of the hosts' resources by zone, host aggregate, placement aggregate or trait, or over all hosts, in one pass. A
// host counts in every group that it belongs to. Pure.
import type { Inventory } from '../../placement/candidate-search';
import { byText } from '../../platform/values/text-order';
import type { Walk } from '../../platform/values/walk';
import type { CloudHost } from './cloud-host';
import { HOST_STATUSES, isUsable } from './host-status';
import type { HostStatus } from './host-status';
import { freeOf, largestAmount, traitsOf } from './tree-sums';
import type { ClassSum } from './tree-sums';

export const GROUPINGS = ['total', 'availability_zone', 'host_aggregate', 'placement_aggregate', 'trait'] as const;
export type Grouping = (typeof GROUPINGS)[number];

const KEYS: Readonly<Record<Grouping, (host: CloudHost) => Iterable<string | null>>> = {
  total: () => [null],
  availability_zone: ({ zone }) => [zone],
  host_aggregate: ({ known }) => orNone(known.aggregates.map(({ uuid }) => uuid)),
  placement_aggregate: ({ tree }) => orNone(tree.aggregates),
  trait: ({ tree }) => traitsOf(tree),
};

const orNone = (keys: readonly string[]): readonly (string | null)[] => (keys.length === 0 ? [null] : keys);

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

/** Adds amounts to each group of the host; one name must always have the same number of amounts. */
export type AddAmounts = (name: string, ...amounts: readonly number[]) => void;

/** By key. Null: all hosts, or the hosts without any group of this kind. */
export type GroupedSums = ReadonlyMap<string | null, GroupSums>;

/** Hosts summed between two yields. */
const HOSTS_PER_STEP = 100;

/** `further` adds more values to sum. */
export function* sumsByGroup(
  hosts: readonly CloudHost[],
  grouping: Grouping,
  further?: (host: CloudHost, add: AddAmounts) => void,
): Walk<GroupedSums> {
  const groups = new Map<string | null, GroupSums>();
  const row = new Row();
  const add: AddAmounts = (name, ...amounts) => row.add(name, ...amounts);
  for (const [at, host] of hosts.entries()) {
    if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
    row.start(host);
    further?.(host, add);
    for (const key of KEYS[grouping](host)) {
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = new GroupSums(row.columns)));
      group.add(row);
    }
  }
  return groups;
}

/** The columns of the sums: one block per resource class, and one per name. */
class Columns {
  /** The first column of each block. */
  readonly classes = new Map<string, number>();
  readonly names = new Map<string, number>();
  width = 0;

  ofClass(resourceClass: string): number {
    return this.first(this.classes, resourceClass, CLASS_AMOUNTS);
  }

  of(name: string, count: number): number {
    return this.first(this.names, name, count);
  }

  private first(known: Map<string, number>, name: string, count: number): number {
    let first = known.get(name);
    if (first === undefined) {
      first = this.width;
      known.set(name, first);
      this.width += count;
    }
    return first;
  }
}

/**
 * Per resource class: inventories, total, reserved, capacity, used, free, usable, and the largest amount of one host.
 */
const CLASS_AMOUNTS = 8;
const LARGEST = 7;

/** The values that one host adds to each of its groups. */
class Row {
  readonly columns = new Columns();
  amounts = new Float64Array(0);
  /** The largest possible amounts, and their columns. */
  readonly largest: number[] = [];
  readonly largestColumns: number[] = [];
  host: CloudHost | null = null;

  start(host: CloudHost): void {
    const { tree, status } = host;
    const usable = isUsable(status);
    this.host = host;
    this.amounts.fill(0);
    this.largest.length = 0;
    this.largestColumns.length = 0;
    this.add(status, 1);
    for (const { inventories } of tree.providers) for (const inventory of inventories) this.take(inventory, usable);
  }

  add(name: string, ...amounts: readonly number[]): void {
    const first = this.columns.of(name, amounts.length);
    for (let at = 0; at < amounts.length; at += 1) this.increase(first + at, amounts[at] ?? 0);
  }

  private take(inventory: Inventory, usable: boolean): void {
    const first = this.columns.ofClass(inventory.resourceClass);
    const free = freeOf(inventory);
    this.increase(first, 1);
    this.increase(first + 1, inventory.total);
    this.increase(first + 2, inventory.reserved);
    this.increase(first + 3, inventory.capacity);
    this.increase(first + 4, inventory.used);
    this.increase(first + 5, free);
    if (!usable) return;
    this.increase(first + 6, free);
    this.largest.push(largestAmount(inventory));
    this.largestColumns.push(first + LARGEST);
  }

  private increase(column: number, amount: number): void {
    if (column >= this.amounts.length) this.amounts = widened(this.amounts, this.columns.width);
    this.amounts[column] = (this.amounts[column] ?? 0) + amount;
  }
}

function widened(amounts: Float64Array, width: number): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(width);
  wider.set(amounts);
  return wider;
}

export class GroupSums {
  private sums = new Float64Array(0);
  /** The host with the largest amount, by its column. */
  private readonly largestHosts = new Map<number, CloudHost | null>();

  constructor(private readonly columns: Pick<Columns, 'classes' | 'names'>) {}

  add({ host, amounts, largest, largestColumns }: Row): void {
    if (this.sums.length < amounts.length) this.sums = widened(this.sums, amounts.length);
    const { sums } = this;
    for (let at = 0; at < amounts.length; at += 1) sums[at] = (sums[at] ?? 0) + (amounts[at] ?? 0);
    for (let at = 0; at < largest.length; at += 1) {
      const [amount, column] = [largest[at] ?? 0, largestColumns[at] ?? 0];
      if (amount <= (sums[column] ?? 0)) continue;
      sums[column] = amount;
      this.largestHosts.set(column, host);
    }
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
    const found = [...this.columns.classes].flatMap(([name, first]): [string, ClassAmounts][] => {
      const [inventories = 0, total = 0, reserved = 0, capacity = 0, used = 0, free = 0, usable = 0, largestFree = 0] =
        this.sums.subarray(first, first + CLASS_AMOUNTS);
      if (inventories === 0) return [];
      const largestFreeHost = this.largestHosts.get(first + LARGEST) ?? null;
      const sums = { inventories, total, reserved, capacity, used, free, usable, largestFree, largestFreeHost };
      return [[name, sums]];
    });
    return new Map(found.sort(byText(([name]) => name)));
  }
}
