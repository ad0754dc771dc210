// Whether every slot can have a provider at once when a provider can only serve so many of them: bipartite matching by
// augmenting paths. It settles in a moment what trying all combinations would take for ever to find out
// (nine interfaces, each on its own card, and eight cards).

import type { Choice, Slot } from './match-group';

/** True when all slots can be served together, with provider p serving at most `roomOf(p's choice)` of them. */
export function canAssignAll(slots: readonly Slot[], roomOf: (choice: Choice) => number): boolean {
  const served = new Map<number, Slot[]>();
  for (const slot of slots) if (!assign(slot, served, roomOf, new Set())) return false;
  return true;
}

function assign(
  slot: Slot,
  served: Map<number, Slot[]>,
  roomOf: (choice: Choice) => number,
  tried: Set<number>,
): boolean {
  for (const choice of slot.choices) {
    const id = choice.provider.id;
    if (tried.has(id)) continue;
    tried.add(id);
    let guests = served.get(id);
    if (guests === undefined) served.set(id, (guests = []));
    if (guests.length < roomOf(choice)) {
      guests.push(slot);
      return true;
    }
    const moved = guests.findIndex((guest) => assign(guest, served, roomOf, tried));
    if (moved >= 0) {
      guests[moved] = slot;
      return true;
    }
  }
  return false;
}
