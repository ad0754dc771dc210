// The stranded amounts of one host, and how many instances still fit, from its rooms and the placements of its profile.
//
// The stranded amount of a class is the free amount minus the largest amount that any sequence of the flavors takes of
// the host's own tree. Each step of a sequence is an allocation candidate at that moment. Candidates disappear only
// because rooms fill, so the sequences are exactly the packings of the placements into the free amounts. A greedy
// packing is one of them: **at least** its placements fit, and **at most** its rest is stranded.

import type { Bottleneck } from './bottleneck';
import { bottleneckOf, missingRoom, roomBottleneck } from './bottleneck';
import type { HostProfile, Room } from './host-profile';
import type { PackingItem, PackingRooms } from './packing';
import { greedyPacking } from './packing';

export interface HostStranded {
  readonly resourceClass: string;
  readonly amount: number;
  /** False: `amount` is an upper bound. */
  readonly isExact: boolean;
  /** The bottleneck that keeps flavors from the amount; null if nothing is stranded. */
  readonly lacks: Bottleneck | null;
}

/** How many more instances of one flavor fit on this host alone. */
export interface FlavorRoom {
  readonly count: number;
  /** False: `count` is a lower bound. */
  readonly isExact: boolean;
  /** Why no further instance fits. */
  readonly bottleneck: Bottleneck | null;
}

export interface HostFindings {
  /** Of all classes of the tree. */
  readonly stranded: readonly HostStranded[];
  /** One for each request, in the same order. */
  readonly flavors: readonly FlavorRoom[];
}

/** The free amount of the class in the tree that no sequence of flavors uses. */
export function strandedOn(
  profile: HostProfile,
  rooms: PackingRooms,
  resourceClass: string,
  free: number,
): HostStranded {
  if (free === 0) return { resourceClass, amount: 0, isExact: true, lacks: null };
  const items = profile.itemsTaking(resourceClass);
  const { value, isExact, left } = greedyPacking(rooms, items, free);
  const amount = free - value;
  if (amount === 0) return { resourceClass, amount, isExact: true, lacks: null };
  return {
    resourceClass,
    amount,
    isExact: isExact && !profile.isCut,
    lacks: lackOf(resourceClass, profile, items, { left, most: rooms.most }),
  };
}

/** The bottleneck of the placement that is nearest to fitting. */
function lackOf(
  resourceClass: string,
  { rooms, flavors }: HostProfile,
  items: readonly PackingItem[],
  end: PackingRooms,
): Bottleneck {
  const missing = items.map(({ takes }) => missingRoom(takes, rooms, end));
  const nearest = nearestOf(missing, resourceClass);
  if (nearest !== null) return nearest;
  const reasons = flavors.flatMap(({ classes, reason }) =>
    reason !== null && classes.has(resourceClass) ? [bottleneckOf(reason)] : [],
  );
  return commonest(reasons) ?? { kind: 'nothing', name: resourceClass, isAbsent: false };
}

function commonest(bottlenecks: readonly Bottleneck[]): Bottleneck | null {
  const counts = new Map<string, number>();
  let found: Bottleneck | null = null;
  let most = 0;
  for (const bottleneck of bottlenecks) {
    const key = `${bottleneck.kind} ${bottleneck.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > most) [found, most] = [bottleneck, count];
  }
  return found;
}

/** The shortest list of missing classes; among equally short ones, a list without the given class. */
function nearestOf(missing: readonly (readonly string[])[], resourceClass: string): Bottleneck | null {
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
  return nearest === null ? null : roomBottleneck(nearest.join(' and '));
}

/** How many instances of the flavor fit on a host with this profile and these rooms. */
export function roomForFlavor(profile: HostProfile, flavor: number, rooms: PackingRooms): FlavorRoom {
  const items = profile.itemsOf(flavor);
  const { isCut = false, reason = null } = profile.flavors[flavor] ?? {};
  const { value: count, isExact, left } = greedyPacking(rooms, items);
  const bottleneck =
    reason === null ? scarcest(items, profile.rooms, { left, most: rooms.most }) : bottleneckOf(reason);
  return { count, isExact: isExact && !isCut, bottleneck };
}

/** The missing class of the placement that is nearest to fitting; of several, the one with the smallest share left. */
function scarcest(items: readonly PackingItem[], rooms: readonly Room[], end: PackingRooms): Bottleneck | null {
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
  return found === null ? null : roomBottleneck(found.name);
}
