// `group_policy=isolate`: granular groups, resourceless ones included, use pairwise different providers. The unsuffixed
// group may coincide with any of them.

import type { Choice, Slot } from './match-group';

/** True when taking `choice` for slot `at` keeps the granular groups chosen so far apart. */
export function keepsApart(slots: readonly Slot[], chosen: readonly Choice[], at: number, choice: Choice): boolean {
  if (slots[at]?.group.isUnsuffixed === true) return true;
  for (let before = 0; before < at; before += 1) {
    if (chosen[before]?.provider === choice.provider && slots[before]?.group.isUnsuffixed === false) return false;
  }
  return true;
}

/** A bound that one look decides: there are more granular groups that choose among the same than they have choices. */
export function areTooMany(slots: readonly Slot[]): boolean {
  let count = 0;
  let last: readonly Choice[] | null = null;
  for (const { choices, group } of slots) {
    if (group.isUnsuffixed) continue;
    count = choices === last ? count + 1 : 1;
    last = choices;
    if (count > choices.length) return true;
  }
  return false;
}
