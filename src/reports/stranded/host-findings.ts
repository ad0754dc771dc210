// What one host's free amounts are good for, worked out of its rooms and the ways of its make.
//
// Stranded of a class: what is free of it, less the most that any sequence of the flavors takes of the host's own tree.
// Each placement of a sequence is an allocation candidate at that moment. Because candidates only go away as rooms fill,
// and for no reason but room, the sequences are exactly the packings of the ways into what is left.

import { bestPacking, roomsLeft } from './packing';
import type { PackingBounds, PackingItem, Taking } from './packing';
import type { FlavorWays, Hardware, HostRooms, Room } from './hardware';
import { hindranceOf, missingRoom } from './hindrance';
import type { Hindrance } from './hindrance';

export interface StrandedAmount {
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
  readonly stranded: readonly StrandedAmount[];
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
  rooms: HostRooms,
  { resourceClass, amount }: { readonly resourceClass: string; readonly amount: number },
  bounds: PackingBounds,
  told: { spent: number },
): StrandedAmount {
  if (amount === 0) return { resourceClass, amount, isExact: true, lacks: null };
  const items: PackingItem[] = [];
  let isCut = false;
  for (const flavor of hardware.flavors) {
    isCut ||= flavor.isCut;
    for (const takes of flavor.ways) {
      const worth = ownAmountOf(takes, hardware.rooms, resourceClass);
      if (worth > 0) items.push(itemOf(takes, rooms, worth));
    }
  }
  const packing = bestPacking(rooms.left, items, bounds);
  told.spent += packing.steps;
  const rest = amount - packing.worth;
  if (rest === 0) return { resourceClass, amount: 0, isExact: true, lacks: null };
  const left = roomsLeft(rooms.left, items, packing.counts);
  return {
    resourceClass,
    amount: rest,
    isExact: packing.isExact && !isCut,
    lacks: lackOf(resourceClass, hardware, items, { left, most: rooms.most }),
  };
}

/** A way as an item; one that takes more of a room at once than it ever gives is worth nothing. */
function itemOf(takes: readonly Taking[], { most }: HostRooms, worth: number): PackingItem {
  for (const { at, amount } of takes) if (amount > (most[at] ?? 0)) return { takes, worth: 0 };
  return { takes, worth };
}

function ownAmountOf(takes: readonly Taking[], rooms: readonly Room[], resourceClass: string): number {
  let amount = 0;
  for (const taking of takes) {
    const room = rooms[taking.at];
    if (room?.isOwn === true && room.resourceClass === resourceClass) amount += taking.amount;
  }
  return amount;
}

/** What keeps the rest of the class from use: what the way that is nearest to fitting lacks. */
function lackOf(
  resourceClass: string,
  { rooms, flavors }: Hardware,
  items: readonly PackingItem[],
  end: HostRooms,
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
  { rooms: places }: Hardware,
  { ways, isCut, reason }: FlavorWays,
  rooms: HostRooms,
  bounds: PackingBounds,
): FlavorRoom {
  const items = ways.map((takes) => itemOf(takes, rooms, 1));
  const { counts, isExact, worth: count } = packingOf(items, rooms, bounds);
  const end = { left: count === 0 ? rooms.left : roomsLeft(rooms.left, items, counts), most: rooms.most };
  const hindrance = reason === null ? scarcest(ways, places, end) : hindranceOf(reason);
  const ofOthers = new Map<number, number>();
  for (const [at, { takes }] of items.entries()) {
    const times = counts[at] ?? 0;
    if (times === 0) continue;
    for (const taking of takes) {
      if (places[taking.at]?.isOwn !== false) continue;
      ofOthers.set(taking.at, (ofOthers.get(taking.at) ?? 0) + times * taking.amount);
    }
  }
  return {
    count,
    isExact: isExact && !isCut,
    hindrance,
    ofOthers: [...ofOthers].map(([at, amount]) => ({ at, amount })),
  };
}

/** Most hosts have one way to take a flavor, which is a division a room. */
function packingOf(
  items: readonly PackingItem[],
  { left }: HostRooms,
  bounds: PackingBounds,
): Pick<ReturnType<typeof bestPacking>, 'worth' | 'isExact' | 'counts'> {
  const [only] = items;
  if (only === undefined || items.length > 1) return bestPacking(left, items, bounds);
  let most = only.worth === 0 ? 0 : Number.POSITIVE_INFINITY;
  for (const { at, amount } of only.takes) most = Math.min(most, Math.floor((left[at] ?? 0) / amount));
  return { worth: most, isExact: true, counts: [most] };
}

/** The class that the nearest way has too little of; of several, the one of which the least share is there. */
function scarcest(ways: readonly (readonly Taking[])[], rooms: readonly Room[], end: HostRooms): Hindrance | null {
  let found: { readonly name: string; readonly share: number; readonly missing: number } | null = null;
  for (const takes of ways) {
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
