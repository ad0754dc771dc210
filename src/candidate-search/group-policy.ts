// `group_policy=isolate`: granular groups, resourceless ones included, use pairwise different providers. The unsuffixed
// group may coincide with any of them.

import { canAssignAll } from './assignment';
import type { Choice, Slot } from './match-group';

/** True when taking `choice` for slot `at` keeps the granular groups chosen so far apart. */
export function keepsApart(slots: readonly Slot[], chosen: readonly Choice[], at: number, choice: Choice): boolean {
  if (slots[at]?.group.isUnsuffixed === true) return true;
  for (let before = 0; before < at; before += 1) {
    if (chosen[before]?.provider === choice.provider && slots[before]?.group.isUnsuffixed === false) return false;
  }
  return true;
}

/** True when the granular groups can be given pairwise different providers at all. */
export function canKeepApart(slots: readonly Slot[]): boolean {
  const granular = slots.filter((slot) => !slot.group.isUnsuffixed);
  if (granular.every((slot) => slot.choices.length >= granular.length)) return true;
  return canAssignAll(granular, () => 1);
}
