// Greedy packing: how much value a sequence of placements gets out of the capacities of one host. Pure.

/** One placement: the amounts that it takes of rooms (`at` is the index of the room), and its value. */
export interface PackingItem {
  readonly takes: readonly Taking[];
  readonly value: number;
}

export interface Taking {
  readonly at: number;
  readonly amount: number;
}

/** The amount left in each room, and the most that one item can take of it. */
export interface PackingRooms {
  readonly left: readonly number[];
  readonly most: readonly number[];
}

interface Packing {
  readonly value: number;
  /** No packing has a higher value. */
  readonly isExact: boolean;
  /** The amount left in each room. No further item fits. */
  readonly left: readonly number[];
}

/**
 * Places each item as often as it fits. The order is by the value that an item would reach alone, with fractions.
 * Amounts and values of items are positive integers.
 *
 * Law: the items fit one after the other, so the best packing has **at least** the value `value`, and the unused rest
 * is **at most** `ceiling - value`. `isExact` is true only if an upper bound proves that no packing is better: the
 * `ceiling` of the caller, or one room that every item uses.
 */
export function greedyPacking(
  rooms: PackingRooms,
  items: readonly PackingItem[],
  ceiling = Number.POSITIVE_INFINITY,
): Packing {
  const left = [...rooms.left];
  const fitting = items
    .filter(({ takes }) => takes.every(({ at, amount }) => amount <= Math.min(left[at] ?? 0, rooms.most[at] ?? 0)))
    .map((item) => ({ item, alone: item.value * timesOf(item, left) }))
    .sort((one, other) => other.alone - one.alone || other.item.value - one.item.value)
    .map(({ item }) => item);
  let value = 0;
  for (const item of fitting) {
    const times = Math.floor(timesOf(item, left));
    for (const { at, amount } of item.takes) left[at] = (left[at] ?? 0) - times * amount;
    value += times * item.value;
  }
  // The value of every packing is a multiple of the divisor.
  const divisor = fitting.reduce((common, item) => greatestDivisor(common, item.value), 0);
  const isExact = divisor === 0 || value + divisor > Math.min(ceiling, upperBound(rooms.left, fitting));
  return { value, isExact, left };
}

/** How often the item fits, as a fraction. */
function timesOf({ takes }: PackingItem, left: readonly number[]): number {
  let times = Number.POSITIVE_INFINITY;
  for (const { at, amount } of takes) times = Math.min(times, (left[at] ?? 0) / amount);
  return times;
}

/** Covers the rounding of a quotient of whole amounts. */
const ROUNDING = 1e-6;

/** The lowest bound of the rooms that all items use: the amount of a room times the highest value of one unit of it. */
function upperBound(left: readonly number[], items: readonly PackingItem[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { at } of items[0]?.takes ?? []) {
    let most = 0;
    for (const { takes, value } of items) {
      const amount = takes.find((taking) => taking.at === at)?.amount ?? 0;
      most = Math.max(most, (value * (left[at] ?? 0)) / amount);
    }
    least = Math.min(least, Math.floor(most + ROUNDING));
  }
  return least;
}

function greatestDivisor(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
