// What hosts have, summed by zone, host aggregate, placement aggregate or trait, or all hosts together, in one pass over
// them. A host counts in every group that it belongs to. Pure.
import { byText } from '../../domain/text-order';
import type { Walk } from '../../domain/walk';
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
  /** What is free on hosts that take something new. */
  readonly usable: number;
  /** The largest amount that can still be asked of one of those hosts in one piece. */
  readonly largestFree: number;
  /** Which of them that is; null: none has anything left. The first that was made of several. */
  readonly largestFreeHost: CloudHost | null;
}

/** Adds an amount to each group of the host, under a name that is no resource class. */
export type AddAmount = (name: string, amount: number) => void;

/** By key; null: all hosts, or those that belong to no group of this kind. */
export type GroupedSums = ReadonlyMap<string | null, GroupSums>;

/** Hosts summed between two yields. */
const HOSTS_PER_STEP = 100;

/** `further` adds what else is to be summed. */
export function* sumsByGroup(
  hosts: readonly CloudHost[],
  grouping: Grouping,
  further?: (host: CloudHost, add: AddAmount) => void,
): Walk<GroupedSums> {
  const groups = new Map<string | null, GroupSums>();
  const columns = new Columns();
  for (const [at, host] of hosts.entries()) {
    if (at % HOSTS_PER_STEP === HOSTS_PER_STEP - 1) yield;
    const row = new Row(host, columns);
    further?.(host, (name, amount) => row.add(columns.of(name), amount));
    for (const key of KEYS[grouping](host)) {
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = new GroupSums(columns)));
      group.add(row);
    }
  }
  return groups;
}

/** Everything that is summed has a column: resource classes have a block of them, names one. */
class Columns {
  readonly classes = new Map<string, number>();
  private readonly names = new Map<string, number>();
  private count = 0;

  of(name: string): number {
    return this.first(this.names, name, 1);
  }

  ofClass(resourceClass: string): number {
    return this.first(this.classes, resourceClass, CLASS_COLUMNS);
  }

  private first(known: Map<string, number>, name: string, width: number): number {
    let column = known.get(name);
    if (column === undefined) {
      column = this.count;
      known.set(name, column);
      this.count += width;
    }
    return column;
  }
}

/** Inventories, total, reserved, capacity, used, free, usable. */
const CLASS_COLUMNS = 7;

/** What one host adds to each of its groups: columns and amounts, position by position. */
class Row {
  readonly columns: number[] = [];
  readonly amounts: number[] = [];
  /** Largest amounts that can be asked for, by the first column of the class; none where nothing may be placed. */
  readonly largestColumns: number[] = [];
  readonly largest: number[] = [];

  constructor(
    readonly host: CloudHost,
    columns: Columns,
  ) {
    const { tree, status } = host;
    const usable = isUsable(status);
    this.add(columns.of(status), 1);
    this.add(columns.of('providers'), tree.providers.length);
    for (const { inventories } of tree.providers) {
      for (const inventory of inventories) {
        const { total, reserved, capacity, used } = inventory;
        const first = columns.ofClass(inventory.resourceClass);
        const free = freeOf(inventory);
        for (const [at, amount] of [1, total, reserved, capacity, used, free, usable ? free : 0].entries()) {
          this.add(first + at, amount);
        }
        if (!usable) continue;
        this.largestColumns.push(first);
        this.largest.push(largestAmount(inventory));
      }
    }
  }

  add(column: number, amount: number): void {
    this.columns.push(column);
    this.amounts.push(amount);
  }
}

export class GroupSums {
  private readonly sums: number[] = [];
  /** By the first column of the class. */
  private readonly largest = new Map<number, { readonly amount: number; readonly host: CloudHost }>();

  constructor(private readonly columns: Columns) {}

  add({ host, columns, amounts, largestColumns, largest }: Row): void {
    const { sums } = this;
    for (let at = 0; at < columns.length; at += 1) {
      const column = columns[at] ?? 0;
      sums[column] = (sums[column] ?? 0) + (amounts[at] ?? 0);
    }
    for (let at = 0; at < largest.length; at += 1) {
      const [column, amount] = [largestColumns[at] ?? 0, largest[at] ?? 0];
      if (amount > (this.largest.get(column)?.amount ?? 0)) this.largest.set(column, { amount, host });
    }
  }

  /** What was added under the name. */
  amount(name: string): number {
    return this.sums[this.columns.of(name)] ?? 0;
  }

  /** Hosts by status; those that some host has. */
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

  /** Those that some host of the group has, ascending. */
  get classes(): ReadonlyMap<string, ClassAmounts> {
    const found = [...this.columns.classes].flatMap(([name, first]): [string, ClassAmounts][] => {
      const [inventories = 0, total = 0, reserved = 0, capacity = 0, used = 0, free = 0, usable = 0] = this.sums.slice(
        first,
        first + CLASS_COLUMNS,
      );
      if (inventories === 0) return [];
      const { amount: largestFree = 0, host: largestFreeHost = null } = this.largest.get(first) ?? {};
      const sums = { inventories, total, reserved, capacity, used, free, usable, largestFree, largestFreeHost };
      return [[name, sums]];
    });
    return new Map(found.sort(byText(([name]) => name)));
  }
}
