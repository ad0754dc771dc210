// What several groups ask of the same provider and class is one allocation in the end: the sum must fit beside what is
// used and must not exceed max_unit. Minimum and step hold per group, and were checked there.

import { hasRoom } from '../domain/inventory';
import { canAssignAll } from './assignment';
import type { Choice, Slot } from './match-group';
import type { Demand } from './request-group';

const NOTHING: Demand = { resourceClass: '', amount: 0 };

/** True when taking `choice` for slot `at` keeps every sum over the slots chosen so far within bounds. */
export function sumsFit(
  slots: readonly Slot[],
  chosen: readonly Choice[],
  at: number,
  choice: Choice,
  contended: ReadonlySet<string>,
): boolean {
  const demands = slots[at]?.demands ?? [];
  for (let index = 0; index < demands.length; index += 1) {
    const { resourceClass, amount } = demands[index] ?? NOTHING;
    if (!contended.has(resourceClass)) continue;
    let sum = amount;
    for (let before = 0; before < at; before += 1) {
      if (chosen[before]?.provider === choice.provider) sum += amountOf(slots[before], resourceClass);
    }
    const inventory = choice.inventories[index];
    if (inventory === undefined || sum === amount) continue;
    if (!hasRoom(inventory.capacity, inventory.used, sum) || sum > inventory.maxUnit) return false;
  }
  return true;
}

/** The first contended class of which the slots together ask more than their providers can give, if there is one. */
export function findOverdemandedClass(slots: readonly Slot[], contended: ReadonlySet<string>): string | null {
  for (const resourceClass of contended) if (!canGiveAll(slots, resourceClass)) return resourceClass;
  return null;
}

/**
 * A bound, exact for equal amounts: a provider serves at most as many slots as the smallest amounts it could serve
 * have room together.
 */
function canGiveAll(slots: readonly Slot[], resourceClass: string): boolean {
  const asking = slots.filter((slot) => amountOf(slot, resourceClass) > 0);
  if (asking.length < 2) return true;
  const amounts = asking.map((slot) => amountOf(slot, resourceClass)).sort((first, second) => first - second);
  return canAssignAll(asking, (choice) => {
    const inventory = choice.inventories.find((candidate) => candidate.resourceClass === resourceClass);
    if (inventory === undefined) return 0;
    const room = Math.min(inventory.capacity - inventory.used, inventory.maxUnit);
    let served = 0;
    for (let sum = amounts[0] ?? 0; served < amounts.length && sum <= room; sum += amounts[served] ?? 0) served += 1;
    return served;
  });
}

function amountOf(slot: Slot | undefined, resourceClass: string): number {
  for (const demand of slot?.demands ?? []) if (demand.resourceClass === resourceClass) return demand.amount;
  return 0;
}
