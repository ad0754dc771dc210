// The most that can be had of a sequence of placements: of items that each take of several rooms, any number of each,
// the sum of whose worths is largest. Exact, by branching and bounding, as far as the work allowed goes; else the best
// sequence that was found, and said so.
//
//   what fits and is worth anything ▸ rooms that never run out are forgotten ▸ what shares no room is packed by itself
//   ▸ greedily ▸ a bound by prices (linear-bound.ts) ▸ branching where the two differ

import { costOf, relaxed } from './linear-bound';
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

interface Packing {
  readonly worth: number;
  /** Nothing is worth more. */
  readonly isExact: boolean;
  /** How often each item is placed, in the order given. None fits once more that is worth anything. */
  readonly counts: readonly number[];
  /** Steps that it took. */
  readonly steps: number;
}

/** What there is: of each room so much is left, and one item may take so much of it at most. */
export interface PackingRooms {
  readonly left: readonly number[];
  readonly most: readonly number[];
}

/**
 * `items` take whole positive amounts and are worth whole positive amounts; what is left is whole and not negative.
 * `ceiling`: no packing is worth more, as the caller knows.
 */
export function bestPacking(
  { left, most }: PackingRooms,
  items: readonly PackingItem[],
  bounds: PackingBounds,
  ceiling = Number.POSITIVE_INFINITY,
): Packing {
  const fitting: number[] = [];
  for (const [index, { takes }] of items.entries()) if (fits(takes, left, most)) fitting.push(index);
  const counts = items.map(() => 0);
  const greedy = fillUp(left, items, fitting, counts);
  if (fitting.length < 2 || greedy >= ceiling) return { worth: greedy, isExact: true, counts, steps: 1 };
  counts.fill(0);
  const kept = fitting.slice(0, bounds.items);
  let isExact = fitting.length <= bounds.items;
  let [worth, steps] = [0, 0];
  for (const part of independentParts(left, items, kept)) {
    const packed = packPart(left, items, part, Math.max(1, bounds.steps - steps));
    for (const [at, index] of part.items.entries()) counts[index] = packed.counts[at] ?? 0;
    worth += packed.worth;
    steps += packed.steps;
    isExact &&= packed.isExact;
  }
  if (!isExact) worth += fillUp(left, items, fitting, counts);
  return { worth, isExact: isExact || worth >= ceiling, counts, steps };
}

function fits(takes: readonly Taking[], left: readonly number[], most: readonly number[]): boolean {
  for (const { at, amount } of takes) if (amount > (left[at] ?? 0) || amount > (most[at] ?? 0)) return false;
  return true;
}

/** To compare more of them with each other would cost more than it spares. */
const COMPARED_MAX = 500;

/** Without those that take as much of everything as another one and are not worth more: no packing needs them. */
export function undominated(items: readonly PackingItem[]): readonly PackingItem[] {
  if (items.length > COMPARED_MAX) return items;
  return items.filter((item, place) =>
    items.every((other, otherPlace) => {
      if (item === other || !isNoBetter(item, other)) return true;
      // Of two that are alike the first stays.
      return otherPlace > place && isNoBetter(other, item);
    }),
  );
}

const isNoBetter = (item: PackingItem, than: PackingItem): boolean =>
  item.worth <= than.worth && than.takes.every(({ at, amount }) => amount <= amountOf(item, at));

/** Items that share rooms with each other and with nobody else, and the rooms that can run out. */
interface Part {
  readonly items: readonly number[];
  readonly rooms: readonly number[];
}

/** Of more rooms than this nobody asks whether one of them is ample. Fewer than the least are packed as they are. */
const ROOMS_JUDGED_MAX = 64;
const ROOMS_JUDGED_MIN = 4;

function independentParts(
  left: readonly number[],
  items: readonly PackingItem[],
  kept: readonly number[],
): readonly Part[] {
  const scarce = left.map(() => false);
  let count = 0;
  for (const index of kept) {
    for (const { at } of items[index]?.takes ?? []) {
      if (scarce[at] === false) count += 1;
      scarce[at] = true;
    }
  }
  if (count >= ROOMS_JUDGED_MIN && count <= ROOMS_JUDGED_MAX) {
    for (let room = 0; room < left.length && count > 1; room += 1) {
      if (scarce[room] !== true) continue;
      scarce[room] = false;
      if (isAmple(room, left, items, partsOf(items, kept, scarce))) count -= 1;
      else scarce[room] = true;
    }
  }
  return partsOf(items, kept, scarce);
}

/** True when whatever is packed into the rooms of these parts never takes more of this one than is left. */
function isAmple(
  room: number,
  left: readonly number[],
  items: readonly PackingItem[],
  parts: readonly Part[],
): boolean {
  let most = 0;
  for (const part of parts) {
    let bound = Number.POSITIVE_INFINITY;
    let isUsed = false;
    for (const other of part.rooms) {
      let dearest = 0;
      for (const index of part.items) {
        const item = items[index];
        const amount = item === undefined ? 0 : amountOf(item, room);
        if (item === undefined || amount === 0) continue;
        isUsed = true;
        dearest = Math.max(dearest, amount / amountOf(item, other));
      }
      bound = Math.min(bound, dearest * (left[other] ?? 0));
    }
    if (part.rooms.length === 0 || isUsed) most += bound;
    if (most > (left[room] ?? 0)) return false;
  }
  return true;
}

function amountOf({ takes }: PackingItem, room: number): number {
  for (const { at, amount } of takes) if (at === room) return amount;
  return 0;
}

/** Items by the rooms that they share, among those that can run out. */
function partsOf(items: readonly PackingItem[], kept: readonly number[], among: readonly boolean[]): readonly Part[] {
  const leaders = among.map((_, room) => room);
  const leaderOf = (room: number): number => {
    let at = room;
    while (leaders[at] !== at) at = leaders[at] ?? at;
    return at;
  };
  for (const index of kept) {
    let first = -1;
    for (const { at } of items[index]?.takes ?? []) {
      if (among[at] !== true) continue;
      if (first < 0) first = leaderOf(at);
      else leaders[leaderOf(at)] = first;
    }
  }
  const parts = new Map<number, { items: number[]; rooms: number[] }>();
  const partAt = (leader: number): { items: number[]; rooms: number[] } => {
    let part = parts.get(leader);
    if (part === undefined) parts.set(leader, (part = { items: [], rooms: [] }));
    return part;
  };
  for (const index of kept) {
    const own = items[index]?.takes.find(({ at }) => among[at] === true);
    partAt(own === undefined ? -1 - index : leaderOf(own.at)).items.push(index);
  }
  for (const [room, isAmong] of among.entries()) if (isAmong) partAt(leaderOf(room)).rooms.push(room);
  return [...parts.values()];
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
  return new Branching(items, rooms, stepsMax).run();
}

/** Positions that are remembered while branching, so that none is gone through twice; beyond, some are. */
const REMEMBERED_MAX = 5_000;
/** So many steps are made before anything is remembered, or further prices are worked out. */
const STEPS_AT_EASE = 60;
/** What further prices cost, as steps, and how many of them there are. */
const STEPS_OF_PRICES = 50;
const LATER_PRICES = 6;
/** So many fewer of each item than the relaxation packs are taken as given, one attempt after the other. */
const FEWER_THAN_RELAXED = [0, 1, 3];
/** What each attempt may take of all steps. */
const SHARE_OF_HINT = 0.15;
const HINT_SLACK = 1e-9;
const WORTH_SLACK = 1e-10;

/** Branch and bound: item by item, from as many as fit down to none. */
class Branching {
  private readonly order: readonly number[];
  private readonly left: Float64Array;
  private readonly divisor: number;
  private readonly prices: Float64Array;
  private readonly bound: number;
  private readonly hint: Float64Array;
  /** What is packed now, and what of it is not varied. */
  private readonly counts: number[];
  private fixed: readonly number[] = [];
  private best = -1;
  private bestCounts: readonly number[] = [];
  private steps = 0;
  private stepsUntil = 0;
  private readonly remembered = new Map<string, number>();
  /** Prices for the last items only, worked out when they are wanted. */
  private readonly laterPrices: (Float64Array | undefined)[] = [];

  constructor(
    private readonly items: readonly PackedItem[],
    private readonly rooms: Float64Array,
    private readonly stepsMax: number,
  ) {
    this.left = Float64Array.from(rooms);
    this.divisor = items.reduce((divisor, { worth }) => greatestDivisor(divisor, worth), 0);
    const { prices, counts } = relaxed(items, rooms);
    this.prices = prices;
    this.hint = counts;
    this.bound = this.wholeWorth(costOf(prices, rooms));
    this.counts = items.map(() => 0);
    // What loses least by these prices comes first; of those that lose as much, to one part in a million, the largest.
    const loss = items.map(({ takes, worth }) => Math.round(((costOf(prices, takes) - worth) / worth) * 1e6));
    this.order = items
      .map((_, index) => index)
      .sort((one, other) => {
        const more = (loss[one] ?? 0) - (loss[other] ?? 0);
        return more !== 0 ? more : (items[other]?.worth ?? 0) - (items[one]?.worth ?? 0);
      });
  }

  run(): PackedPart {
    // Most of what the relaxation packs is in the best packing too; what is left is small and soon gone through.
    for (const fewer of FEWER_THAN_RELAXED) {
      if (this.best >= this.bound) break;
      const fixed = Array.from(this.hint, (count) => Math.max(0, Math.floor(count + HINT_SLACK) - fewer));
      this.vary(fixed, Math.min(this.stepsMax, this.steps + Math.ceil(this.stepsMax * SHARE_OF_HINT)));
    }
    const isWhole = this.best < this.bound && this.vary([], this.stepsMax);
    return {
      worth: this.best,
      isExact: isWhole || this.best >= this.bound,
      counts: this.bestCounts,
      steps: this.steps,
    };
  }

  /** Goes through what can be added to these counts; answers whether all of it was gone through. */
  private vary(fixed: readonly number[], stepsUntil: number): boolean {
    this.fixed = fixed;
    this.stepsUntil = stepsUntil;
    this.remembered.clear();
    this.left.set(this.rooms);
    let worth = 0;
    for (const [index, item] of this.items.entries()) {
      const count = fixed[index] ?? 0;
      this.counts[index] = count;
      if (count > 0) this.take(item, count);
      worth += count * item.worth;
    }
    if (this.left.some((room) => room < 0)) return false;
    this.branch(0, worth);
    return !this.isOver;
  }

  private get isOver(): boolean {
    return this.steps >= this.stepsUntil || this.best >= this.bound;
  }

  /** The largest worth there can be that is not above this one. */
  private wholeWorth(bound: number): number {
    return Math.floor((bound + bound * WORTH_SLACK + 1e-6) / this.divisor) * this.divisor;
  }

  /** Everything that can be added to what is packed, by the items from the `depth`-th on. */
  private branch(depth: number, worth: number): void {
    this.steps += 1;
    if (worth > this.best) [this.best, this.bestCounts] = [worth, [...this.counts]];
    const index = this.order[depth];
    const item = index === undefined ? undefined : this.items[index];
    if (index === undefined || item === undefined || this.isOver || !this.isPromising(depth, worth)) return;
    const fixed = this.fixed[index] ?? 0;
    const most = this.countOf(item);
    this.take(item, most);
    for (let count = most; count >= 0; count -= 1) {
      this.counts[index] = fixed + count;
      this.branch(depth + 1, worth + count * item.worth);
      if (this.isOver || depth === this.order.length - 1) {
        this.take(item, -count);
        break;
      }
      if (count > 0) this.take(item, -1);
    }
    this.counts[index] = fixed;
  }

  private isPromising(depth: number, worth: number): boolean {
    if (worth + this.wholeWorth(costOf(this.prices, this.left)) <= this.best) return false;
    if (this.steps < STEPS_AT_EASE) return true;
    const prices = this.pricesAt(depth);
    if (worth + this.wholeWorth(costOf(prices, this.left)) <= this.best) return false;
    const key = `${depth} ${this.left.join()}`;
    const known = this.remembered.get(key);
    if (known !== undefined && known >= worth) return false;
    if (known !== undefined || this.remembered.size < REMEMBERED_MAX) this.remembered.set(key, worth);
    return true;
  }

  /** Prices that cover the items from the depth on, or from somewhat before. */
  private pricesAt(depth: number): Float64Array {
    const stretch = Math.floor((depth * LATER_PRICES) / this.order.length);
    if (stretch === 0) return this.prices;
    let prices = this.laterPrices[stretch];
    if (prices === undefined) {
      const from = Math.ceil((stretch * this.order.length) / LATER_PRICES);
      const later = this.order.slice(from).flatMap((index) => this.items[index] ?? []);
      prices = relaxed(later, this.rooms).prices;
      this.laterPrices[stretch] = prices;
      this.steps += STEPS_OF_PRICES;
    }
    return prices;
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

/** Adds, largest worth first, what still fits to a packing; answers what that is worth. */
function fillUp(
  rooms: readonly number[],
  items: readonly PackingItem[],
  fitting: readonly number[],
  counts: number[],
): number {
  const left = roomsLeft(rooms, items, counts);
  let worth = 0;
  for (const index of [...fitting].sort((one, other) => (items[other]?.worth ?? 0) - (items[one]?.worth ?? 0))) {
    const item = items[index];
    if (item === undefined) continue;
    let more = Number.POSITIVE_INFINITY;
    for (const { at, amount } of item.takes) more = Math.min(more, Math.floor((left[at] ?? 0) / amount));
    if (more === 0) continue;
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
