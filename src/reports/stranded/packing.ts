// The most that can be had of a sequence of placements: of items that each take of several rooms, any number of each,
// the sum of whose worths is largest. Exact, by branching and bounding, as far as the work allowed goes; else the best
// sequence that was found, and said so.
//
//   what fits and is worth anything ▸ rooms that never run out are forgotten ▸ what shares no room is packed by itself
//   ▸ greedily ▸ a bound by prices (linear-bound.ts) ▸ branching where the two differ

import { costOf, pricesOf } from './linear-bound';
import type { PackedItem } from './linear-bound';

/** One way to place something: of each room so much (`at` its place in the list), and what that is worth. */
export interface PackingItem {
  readonly takes: readonly Taking[];
  readonly worth: number;
}

export interface Taking {
  readonly at: number;
  readonly amount: number;
}

export interface PackingBounds {
  /** Steps of branching, for one packing in all. */
  readonly steps: number;
  /** Items that are looked at; of more of them only the first. */
  readonly items: number;
}

export interface Packing {
  readonly worth: number;
  /** Nothing is worth more. */
  readonly isExact: boolean;
  /** How often each item is placed, in the order given. None fits once more that is worth anything. */
  readonly counts: readonly number[];
  /** Steps it took. */
  readonly steps: number;
}

/** `items` take whole positive amounts and are worth whole amounts; `rooms` are whole and not negative. */
export function bestPacking(rooms: readonly number[], items: readonly PackingItem[], bounds: PackingBounds): Packing {
  const counts = items.map(() => 0);
  const fitting = items.flatMap((item, index) => (item.worth > 0 && fits(rooms, item) ? [index] : []));
  const kept = undominated(items, fitting.slice(0, bounds.items));
  let isExact = fitting.length <= bounds.items;
  let [worth, steps] = [0, 0];
  for (const part of independentParts(rooms, items, kept)) {
    const packed = packPart(rooms, items, part, Math.max(1, bounds.steps - steps));
    for (const [at, index] of part.items.entries()) counts[index] = packed.counts[at] ?? 0;
    worth += packed.worth;
    steps += packed.steps;
    isExact &&= packed.isExact;
  }
  if (!isExact) worth += fillUp(rooms, items, fitting, counts);
  return { worth, isExact, counts, steps };
}

const fits = (rooms: readonly number[], { takes }: PackingItem): boolean => {
  for (const { at, amount } of takes) if (amount > (rooms[at] ?? 0)) return false;
  return true;
};

/** To compare more of them with each other would cost more than it spares. */
const COMPARED_MAX = 150;

/** Without those that take as much of everything as another one and are not worth more. */
function undominated(items: readonly PackingItem[], indexes: readonly number[]): readonly number[] {
  if (indexes.length > COMPARED_MAX) return indexes;
  return indexes.filter((index, place) => {
    const item = items[index];
    return !indexes.some((otherIndex, otherPlace) => {
      const other = items[otherIndex];
      if (item === undefined || other === undefined || index === otherIndex || !isNoBetter(item, other)) return false;
      // Of two that are alike the first stays.
      return otherPlace < place || !isNoBetter(other, item);
    });
  });
}

const isNoBetter = (item: PackingItem, than: PackingItem): boolean => {
  if (item.worth > than.worth) return false;
  for (const { at, amount } of than.takes) {
    let taken = 0;
    for (const own of item.takes) if (own.at === at) taken = own.amount;
    if (amount > taken) return false;
  }
  return true;
};

/** Items that share rooms with each other and with nobody else, and the rooms that can run out. */
interface Part {
  readonly items: readonly number[];
  readonly rooms: readonly number[];
}

/** Of more rooms than this nobody asks whether one of them is ample. */
const ROOMS_JUDGED_MAX = 64;

function independentParts(
  rooms: readonly number[],
  items: readonly PackingItem[],
  kept: readonly number[],
): readonly Part[] {
  if (kept.length === 0) return [];
  const scarce = new Set(kept.flatMap((index) => items[index]?.takes.map(({ at }) => at) ?? []));
  if (kept.length > 1 && scarce.size <= ROOMS_JUDGED_MAX) {
    for (const room of [...scarce]) {
      if (scarce.size > 1 && isAmple(room, rooms, items, kept, scarce)) scarce.delete(room);
    }
  }
  return partsOf(items, kept, scarce);
}

/** True when whatever is packed under the other rooms leaves some of this one, or none of it but no less. */
function isAmple(
  room: number,
  rooms: readonly number[],
  items: readonly PackingItem[],
  kept: readonly number[],
  scarce: ReadonlySet<number>,
): boolean {
  const others = new Set([...scarce].filter((each) => each !== room));
  let most = 0;
  for (const part of partsOf(items, kept, others)) {
    const using = part.items.flatMap((index) => {
      const item = items[index];
      const amount = item === undefined ? 0 : amountOf(item, room);
      return item === undefined || amount === 0 ? [] : [{ item, amount }];
    });
    if (using.length === 0) continue;
    let bound = Number.POSITIVE_INFINITY;
    for (const other of part.rooms) {
      let dearest = 0;
      for (const { item, amount } of using) dearest = Math.max(dearest, amount / amountOf(item, other));
      bound = Math.min(bound, dearest * (rooms[other] ?? 0));
    }
    most += bound;
  }
  return most <= (rooms[room] ?? 0);
}

function amountOf({ takes }: PackingItem, room: number): number {
  for (const { at, amount } of takes) if (at === room) return amount;
  return 0;
}

function partsOf(items: readonly PackingItem[], kept: readonly number[], among: ReadonlySet<number>): readonly Part[] {
  const parts: { items: number[]; rooms: Set<number> }[] = [];
  for (const index of kept) {
    const own = { items: [index], rooms: new Set<number>() };
    for (const { at } of items[index]?.takes ?? []) if (among.has(at)) own.rooms.add(at);
    for (let each = parts.length - 1; each >= 0; each -= 1) {
      const part = parts[each];
      if (part === undefined || ![...own.rooms].some((room) => part.rooms.has(room))) continue;
      own.items.unshift(...part.items);
      for (const room of part.rooms) own.rooms.add(room);
      parts.splice(each, 1);
    }
    parts.push(own);
  }
  return parts.map((part) => ({ items: part.items, rooms: [...part.rooms].sort((one, other) => one - other) }));
}

type PackedPart = Pick<Packing, 'worth' | 'isExact' | 'counts' | 'steps'>;

function packPart(
  allRooms: readonly number[],
  allItems: readonly PackingItem[],
  part: Part,
  stepsMax: number,
): PackedPart {
  const rooms = Float64Array.from(part.rooms, (room) => allRooms[room] ?? 0);
  const items = part.items.map((index): PackedItem => {
    const item = allItems[index];
    const takes = Float64Array.from(part.rooms, (room) => (item === undefined ? 0 : amountOf(item, room)));
    return { takes, worth: item?.worth ?? 0 };
  });
  const branching = new Branching(items, rooms, stepsMax);
  return branching.run();
}

/** Positions that are remembered while branching, so that none is gone through twice; beyond, some are. */
const REMEMBERED_MAX = 20_000;
/** So many steps are made before anything is remembered, or a further bound worked out. */
const STEPS_AT_EASE = 60;
/** What further prices cost, as steps. */
const STEPS_OF_PRICES = 20;
const WORTH_SLACK = 1e-10;

class Branching {
  private readonly order: readonly number[];
  private readonly left: Float64Array;
  private readonly divisor: number;
  private readonly prices: Float64Array;
  private readonly bound: number;
  private readonly counts: number[];
  private best = -1;
  private bestCounts: readonly number[] = [];
  private steps = 0;
  private readonly remembered = new Map<string, number>();
  /** Prices for the items from the n-th on, worked out when they are wanted. */
  private readonly laterPrices: (Float64Array | undefined)[] = [];

  constructor(
    private readonly items: readonly PackedItem[],
    private readonly rooms: Float64Array,
    private readonly stepsMax: number,
  ) {
    this.left = Float64Array.from(rooms);
    this.divisor = items.reduce((divisor, { worth }) => greatestDivisor(divisor, worth), 0);
    this.prices = pricesOf(items, rooms);
    this.bound = this.wholeWorth(costOf(this.prices, rooms));
    this.counts = items.map(() => 0);
    const loss = items.map(({ takes, worth }) => (costOf(this.prices, takes) - worth) / worth);
    this.order = items
      .map((_, index) => index)
      .sort((one, other) => {
        const more = (loss[one] ?? 0) - (loss[other] ?? 0);
        return Math.abs(more) > 1e-9 ? more : (items[other]?.worth ?? 0) - (items[one]?.worth ?? 0);
      });
  }

  run(): PackedPart {
    this.branch(0, 0);
    const isExact = this.best >= this.bound || this.steps < this.stepsMax;
    return { worth: this.best, isExact, counts: this.bestCounts, steps: this.steps };
  }

  private get isOver(): boolean {
    return this.steps >= this.stepsMax || this.best >= this.bound;
  }

  /** The largest worth there can be that is not above this one. */
  private wholeWorth(bound: number): number {
    return Math.floor((bound + bound * WORTH_SLACK + 1e-6) / this.divisor) * this.divisor;
  }

  /** Everything that can be added to what is packed, by the items from the `depth`-th on. */
  private branch(depth: number, worth: number): void {
    this.steps += 1;
    if (worth > this.best) {
      this.best = worth;
      this.bestCounts = [...this.counts];
    }
    const index = this.order[depth];
    const item = index === undefined ? undefined : this.items[index];
    if (index === undefined || item === undefined || this.isOver || !this.isPromising(depth, worth)) return;
    const most = this.countOf(item);
    this.take(item, most);
    for (let count = most; count >= 0; count -= 1) {
      this.counts[index] = count;
      this.branch(depth + 1, worth + count * item.worth);
      if (this.isOver || depth === this.order.length - 1) {
        this.take(item, -count);
        break;
      }
      if (count > 0) this.take(item, -1);
    }
    this.counts[index] = 0;
  }

  private isPromising(depth: number, worth: number): boolean {
    if (worth + this.wholeWorth(costOf(this.prices, this.left)) <= this.best) return false;
    if (this.steps < STEPS_AT_EASE) return true;
    const prices = (this.laterPrices[depth] ??= this.pricesFrom(depth));
    if (worth + this.wholeWorth(costOf(prices, this.left)) <= this.best) return false;
    const key = `${depth} ${this.left.join()}`;
    const known = this.remembered.get(key);
    if (known !== undefined && known >= worth) return false;
    if (known !== undefined || this.remembered.size < REMEMBERED_MAX) this.remembered.set(key, worth);
    return true;
  }

  private pricesFrom(depth: number): Float64Array {
    this.steps += STEPS_OF_PRICES;
    const later = this.order.slice(depth).flatMap((index) => this.items[index] ?? []);
    return pricesOf(later, this.rooms);
  }

  private countOf({ takes }: PackedItem): number {
    let most = Number.POSITIVE_INFINITY;
    for (let at = 0; at < takes.length; at += 1) {
      const amount = takes[at] ?? 0;
      if (amount > 0) most = Math.min(most, Math.floor((this.left[at] ?? 0) / amount));
    }
    return most;
  }

  private take({ takes }: PackedItem, count: number): void {
    for (let at = 0; at < takes.length; at += 1) this.left[at] = (this.left[at] ?? 0) - count * (takes[at] ?? 0);
  }
}

function greatestDivisor(one: number, other: number): number {
  let [a, b] = [one, other];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** Adds what still fits to a packing that may not be the best; answers what that is worth. */
function fillUp(
  rooms: readonly number[],
  items: readonly PackingItem[],
  fitting: readonly number[],
  counts: number[],
): number {
  const left = roomsLeft(rooms, items, counts);
  let worth = 0;
  for (const index of fitting) {
    const item = items[index];
    if (item === undefined) continue;
    const more = item.takes.reduce(
      (most, { at, amount }) => Math.min(most, Math.floor((left[at] ?? 0) / amount)),
      Number.POSITIVE_INFINITY,
    );
    if (!(more > 0) || !Number.isFinite(more)) continue;
    for (const { at, amount } of item.takes) left[at] = (left[at] ?? 0) - more * amount;
    counts[index] = (counts[index] ?? 0) + more;
    worth += more * item.worth;
  }
  return worth;
}

/** What a packing leaves of the rooms. */
export function roomsLeft(
  rooms: readonly number[],
  items: readonly PackingItem[],
  counts: readonly number[],
): number[] {
  const left = [...rooms];
  for (const [index, { takes }] of items.entries()) {
    const count = counts[index] ?? 0;
    if (count > 0) for (const { at, amount } of takes) left[at] = (left[at] ?? 0) - count * amount;
  }
  return left;
}
