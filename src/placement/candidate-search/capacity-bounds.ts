// Upper bounds for contended classes under one anchor. The remaining capacity of a provider counts only as far as the
// amounts still to place can use it, so the requested total exceeds the usable capacity long before every distribution
// was tried.

import type { Task } from '../../platform/values/task';
import type { Choice, Slot } from './match-group';
import type { Inventory, Provider } from './provider-graph';
import type { Demand } from './request-group';
import type { Work } from './work';

/** Maximum of distinct sums of amounts; above it, all remaining capacity counts as usable. */
const SUMS_MAX = 1_000;

/** The amount of the class that the provider can take, without this request. */
export function availableOf(inventory: Inventory): number {
  return Math.min(inventory.capacity - inventory.used, inventory.maxUnit);
}

export function amountOf(demands: readonly Demand[], resourceClass: string): number {
  for (const demand of demands) if (demand.resourceClass === resourceClass) return demand.amount;
  return 0;
}

export function inventoryOf(choice: Choice, resourceClass: string): Inventory | undefined {
  for (const inventory of choice.inventories) if (inventory.resourceClass === resourceClass) return inventory;
  return undefined;
}

/** One class, with the slots in the order in which they are decided. */
export class CapacityBounds {
  /** The capacity of all providers that the slots from each one on can use, before any choice. */
  private readonly usableInAll: number[] = [];

  private constructor(
    /** The amount of each slot. */
    readonly amounts: readonly number[],
    /** The sum of the amounts from each slot on. */
    readonly requestedFrom: readonly number[],
    /** The ascending sums that the amounts from each slot on can form; null: too many. */
    private readonly sums: readonly (readonly number[] | null)[],
    /** The sums of the one, two, three … smallest amounts from each slot on. */
    private readonly smallest: readonly (readonly number[])[],
    private readonly availableAmounts: ReadonlyMap<Provider, number>,
  ) {}

  static *of(slots: readonly Slot[], resourceClass: string, work: Work): Task<CapacityBounds> {
    const amounts = slots.map(({ demands }) => amountOf(demands, resourceClass));
    const requestedFrom = new Array<number>(slots.length + 1).fill(0);
    const sums = new Array<readonly number[] | null>(slots.length + 1).fill([0]);
    const smallest = new Array<readonly number[]>(slots.length + 1).fill([]);
    for (let at = slots.length - 1; at >= 0; at -= 1) {
      const amount = amounts[at] ?? 0;
      const after = sums[at + 1] ?? null;
      requestedFrom[at] = (requestedFrom[at + 1] ?? 0) + amount;
      sums[at] = after === null || amount === 0 ? after : withAmount(after, amount);
      smallest[at] = sumsOfSmallest(amounts.slice(at));
      work.done += slots.length + (after?.length ?? 0);
      if (work.takesPause()) yield;
    }
    const bounds = new CapacityBounds(
      amounts,
      requestedFrom,
      sums,
      smallest,
      yield* availableAmountsOf(slots, resourceClass, work),
    );
    yield* bounds.sumUp(work);
    return bounds;
  }

  available(provider: Provider): number | undefined {
    return this.availableAmounts.get(provider);
  }

  /**
   * True when the slots from `at` on request more than is usable; `left`: the remaining capacity of the providers already
   * chosen.
   */
  isOutgrown(at: number, left: ReadonlyMap<Provider, number>): boolean {
    let usable = this.usableInAll[at] ?? 0;
    for (const [provider, remaining] of left) {
      usable += this.usable(at, remaining) - this.usable(at, this.availableAmounts.get(provider) ?? 0);
    }
    return usable < (this.requestedFrom[at] ?? 0);
  }

  /** The part of `available` that the slots from `at` on can use. */
  usable(at: number, available: number): number {
    const sums = this.sums[at];
    if (sums === undefined || sums === null) {
      const [least = 0] = this.smallest[at] ?? [];
      return available < least ? 0 : Math.min(available, this.requestedFrom[at] ?? 0);
    }
    return sums[lastUpTo(sums, available)] ?? 0;
  }

  /** The maximum number of slots from `at` on that fit into `available`. */
  servable(at: number, available: number): number {
    return lastUpTo(this.smallest[at] ?? [], available) + 1;
  }

  private *sumUp(work: Work): Task<void> {
    const counts = new Map<number, number>();
    for (const available of this.availableAmounts.values()) counts.set(available, (counts.get(available) ?? 0) + 1);
    work.done += this.availableAmounts.size;
    for (let at = 0; at < this.requestedFrom.length; at += 1) {
      let sum = 0;
      for (const [available, count] of counts) sum += count * this.usable(at, available);
      this.usableInAll.push(sum);
      work.done += counts.size;
      if (work.takesPause()) yield;
    }
  }
}

/** The available amount of every provider that a slot with this class can choose. */
function* availableAmountsOf(
  slots: readonly Slot[],
  resourceClass: string,
  work: Work,
): Task<ReadonlyMap<Provider, number>> {
  const availableAmounts = new Map<Provider, number>();
  const choicesRead = new Set<readonly Choice[]>();
  for (const { choices, demands } of slots) {
    if (amountOf(demands, resourceClass) === 0 || choicesRead.has(choices)) continue;
    choicesRead.add(choices);
    for (const choice of choices) {
      const inventory = inventoryOf(choice, resourceClass);
      if (inventory !== undefined) availableAmounts.set(choice.provider, availableOf(inventory));
      work.done += 1;
      if (work.takesPause()) yield;
    }
  }
  return availableAmounts;
}

function withAmount(sums: readonly number[], amount: number): readonly number[] | null {
  const all = [...new Set([...sums, ...sums.map((sum) => sum + amount)])];
  return all.length > SUMS_MAX ? null : all.sort((first, second) => first - second);
}

function sumsOfSmallest(amounts: readonly number[]): readonly number[] {
  let sum = 0;
  return amounts
    .filter((amount) => amount > 0)
    .sort((first, second) => first - second)
    .map((amount) => (sum += amount));
}

/** The index of the last ascending value that is at most `most`; -1 for none. */
function lastUpTo(values: readonly number[], most: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
