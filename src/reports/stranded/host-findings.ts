// What one host's free amounts are good for, worked out of its rooms and the ways of its make.
//
// Stranded of a class: what is free of it, less the most that any sequence of the flavors takes of the host's own tree.
// Each placement of a sequence is an allocation candidate at that moment. Because candidates only go away as rooms fill,
// and for no reason but room, the sequences are exactly the packings of the ways into what is left.

import { bestPacking, roomsLeft } from './packing';
import type { PackingBounds, PackingItem, PackingRooms, Taking } from './packing';
import type { Hardware, Room } from './hardware';
import { hindranceOf, missingRoom } from './hindrance';
import type { Hindrance } from './hindrance';

export interface HostStranded {
  readonly resourceClass: string;
  readonly amount: number;
  /** False: so much at most. */
  readonly isExact: boolean;
  /** What the rest of the host lacks to use it; null where nothing is stranded. */
  readonly lacks: Hindrance | null;
}

/** How many more of one flavor fit, one after the other, as if there were no other host. */
export interface FlavorRoom {
  readonly count: number;
  /** False: at least so many. */
  readonly isExact: boolean;
  /** Why not one more. */
  readonly hindrance: Hindrance | null;
  /** What these take of sharing providers' rooms. */
  readonly ofOthers: readonly Taking[];
}

/** Kept of every host, hence small. */
export interface HostFindings {
  /** Of all classes of the tree. */
  readonly stranded: readonly HostStranded[];
  readonly flavors: FlavorColumns;
}

/** What is known of each flavor on one host, in columns. */
export class FlavorColumns {
  private readonly counts: Float64Array;
  /** Twice the number of the hindrance, one more where the count is exact. */
  private readonly codes: Uint16Array;
  private readonly ofOthers: readonly (readonly Taking[])[] | null;

  constructor(
    rooms: readonly FlavorRoom[],
    private readonly names: HindranceNames,
  ) {
    this.counts = Float64Array.from(rooms, ({ count }) => count);
    this.codes = Uint16Array.from(rooms, ({ hindrance, isExact }) => 2 * names.numberOf(hindrance) + (isExact ? 1 : 0));
    this.ofOthers = rooms.some(({ ofOthers }) => ofOthers.length > 0) ? rooms.map(({ ofOthers }) => ofOthers) : null;
  }

  at(flavor: number): FlavorRoom {
    const code = this.codes[flavor] ?? 0;
    return {
      count: this.counts[flavor] ?? 0,
      isExact: code % 2 === 1,
      hindrance: this.names.at(code >> 1),
      ofOthers: this.ofOthers?.[flavor] ?? NOTHING_TAKEN,
    };
  }
}

const NOTHING_TAKEN: readonly Taking[] = [];
const NAMES_MAX = 30_000;

/** Hindrances by number: thousands of hosts have the same few. */
export class HindranceNames {
  private readonly list: (Hindrance | null)[] = [null];
  private readonly numbers = new Map<string, number>();

  at(number: number): Hindrance | null {
    return this.list[number] ?? null;
  }

  /** The one object that stands for all that say the same. */
  same(hindrance: Hindrance | null): Hindrance | null {
    return this.at(this.numberOf(hindrance));
  }

  numberOf(hindrance: Hindrance | null): number {
    if (hindrance === null) return 0;
    const key = `${hindrance.kind} ${hindrance.name}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const isFull = this.list.length >= NAMES_MAX;
    if (isFull && hindrance !== OTHER) return this.numberOf(OTHER);
    this.numbers.set(key, this.list.length);
    this.list.push(hindrance);
    return this.list.length - 1;
  }
}

/** Stands for what there is no number left for. */
const OTHER: Hindrance = { kind: 'condition', name: 'other conditions' };

/** What of the class's free amount in the tree no sequence could use; `told` counts the steps of finding out. */
export function strandedOn(
  hardware: Hardware,
  rooms: PackingRooms,
  { resourceClass, amount }: { readonly resourceClass: string; readonly amount: number },
  bounds: PackingBounds,
  told: { spent: number },
): HostStranded {
  if (amount === 0) return { resourceClass, amount, isExact: true, lacks: null };
  const items = hardware.itemsTaking(resourceClass);
  const packing = bestPacking(rooms, items, bounds, amount);
  told.spent += packing.steps;
  const rest = amount - packing.worth;
  if (rest === 0) return { resourceClass, amount: 0, isExact: true, lacks: null };
  const left = roomsLeft(rooms.left, items, packing.counts);
  return {
    resourceClass,
    amount: rest,
    isExact: packing.isExact && !hardware.isCut,
    lacks: lackOf(resourceClass, hardware, items, { left, most: rooms.most }),
  };
}

/** What keeps the rest of the class from use: what the way that is nearest to fitting lacks. */
function lackOf(
  resourceClass: string,
  { rooms, flavors }: Hardware,
  items: readonly PackingItem[],
  end: PackingRooms,
): Hindrance {
  const missing = items.map(({ takes }) => missingRoom(takes, rooms, end));
  const nearest = nearestOf(missing, resourceClass);
  if (nearest !== null) return nearest;
  const reasons = flavors.flatMap(({ classes, reason }) =>
    reason !== null && classes.has(resourceClass) ? [hindranceOf(reason)] : [],
  );
  return commonest(reasons) ?? { kind: 'nothing', name: resourceClass };
}

function commonest(hindrances: readonly Hindrance[]): Hindrance | null {
  const counts = new Map<string, number>();
  let found: Hindrance | null = null;
  let most = 0;
  for (const hindrance of hindrances) {
    const key = `${hindrance.kind} ${hindrance.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) [found, most] = [hindrance, count];
  }
  return found;
}

/** Fewest classes, others than the one in question first. */
function nearestOf(missing: readonly (readonly string[])[], resourceClass: string): Hindrance | null {
  let nearest: readonly string[] | null = null;
  const isOther = (names: readonly string[]): number => (names.includes(resourceClass) ? 0 : 1);
  for (const names of missing) {
    if (names.length === 0) continue;
    const isNearer =
      nearest === null ||
      names.length < nearest.length ||
      (names.length === nearest.length && isOther(names) > isOther(nearest));
    if (isNearer) nearest = names;
  }
  return nearest === null ? null : { kind: 'room', name: nearest.join(' and ') };
}

/** How many of the flavor fit on a host of the make with these rooms. */
export function roomForFlavor(
  hardware: Hardware,
  flavor: number,
  rooms: PackingRooms,
  bounds: PackingBounds,
): FlavorRoom {
  const items = hardware.itemsOf(flavor);
  const { isCut = false, reason = null } = hardware.flavors[flavor] ?? {};
  const { counts, isExact, worth: count } = bestPacking(rooms, items, bounds);
  const end = count === 0 ? rooms : { left: roomsLeft(rooms.left, items, counts), most: rooms.most };
  const hindrance = reason === null ? scarcest(items, hardware.rooms, end) : hindranceOf(reason);
  return {
    count,
    isExact: isExact && !isCut,
    hindrance,
    ofOthers: hardware.isSharing ? takenOfOthers(hardware, items, counts) : NOTHING_TAKEN,
  };
}

function takenOfOthers(
  { rooms }: Hardware,
  items: readonly PackingItem[],
  counts: readonly number[],
): readonly Taking[] {
  const taken = new Map<number, number>();
  for (const [index, { takes }] of items.entries()) {
    const times = counts[index] ?? 0;
    if (times === 0) continue;
    for (const { at, amount } of takes) {
      if (rooms[at]?.isOwn === false) taken.set(at, (taken.get(at) ?? 0) + times * amount);
    }
  }
  return [...taken].map(([at, amount]) => ({ at, amount }));
}

/** The class that the nearest way has too little of; of several, the one of which the least share is there. */
function scarcest(items: readonly PackingItem[], rooms: readonly Room[], end: PackingRooms): Hindrance | null {
  let found: { readonly name: string; readonly share: number; readonly missing: number } | null = null;
  for (const { takes } of items) {
    let [name, share, missing] = ['', Number.POSITIVE_INFINITY, 0];
    for (const { at, amount } of takes) {
      const given = Math.min(end.left[at] ?? 0, end.most[at] ?? 0);
      if (given >= amount) continue;
      missing += 1;
      const room = rooms[at];
      if (room !== undefined && given / amount < share) [name, share] = [room.resourceClass, given / amount];
    }
    if (missing > 0 && (found === null || missing < found.missing)) found = { name, share, missing };
  }
  return found === null ? null : { kind: 'room', name: found.name };
}
