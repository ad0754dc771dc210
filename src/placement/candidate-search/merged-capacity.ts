// The demands of several groups on the same provider and class become one allocation: their sum must fit next to the
// current usage and must not exceed max_unit. min_unit and step_size apply per group and are checked in matching.

import { hasRoom } from '../domain/inventory';
import { amountOf, availableOf, inventoryOf } from './capacity-bounds';
import type { Choice, Slot } from './match-group';
import type { Provider } from './provider-graph';
import type { Demand } from './request-group';

const NOTHING: Demand = { resourceClass: '', amount: 0 };

/** True when, with `choice` for slot `at`, every sum over the slots chosen so far is within bounds. */
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
      if (chosen[before]?.provider === choice.provider) sum += amountOf(slots[before]?.demands ?? [], resourceClass);
    }
    const inventory = choice.inventories[index];
    if (inventory === undefined || sum === amount) continue;
    if (!hasRoom(inventory.capacity, inventory.used, sum) || sum > inventory.maxUnit) return false;
  }
  return true;
}

/** Quick check: the slots together request more of the class than all their choices have available. */
export function outgrows(slots: readonly Slot[], resourceClass: string): boolean {
  let requestedAmount = 0;
  let available = 0;
  let first: readonly Choice[] | null = null;
  let last: readonly Choice[] | null = null;
  let counted: Set<Provider> | null = null;
  for (const { demands, choices } of slots) {
    const amount = amountOf(demands, resourceClass);
    requestedAmount += amount;
    // Slots with the same demands share one list of choices.
    if (amount === 0 || choices === last) continue;
    last = choices;
    if (first !== null) counted ??= new Set(first.map(({ provider }) => provider));
    else first = choices;
    for (const choice of choices) {
      const inventory = inventoryOf(choice, resourceClass);
      if (inventory === undefined || counted?.has(choice.provider) === true) continue;
      counted?.add(choice.provider);
      available += availableOf(inventory);
    }
  }
  return requestedAmount > available;
}
