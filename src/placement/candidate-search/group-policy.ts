// `group_policy=isolate`: granular groups, including resourceless ones, use pairwise different providers. The
// unsuffixed group can share a provider with any of them.

import type { Choice, Slot } from './match-group';

/** True when `choice` for slot `at` differs from the choices of all other granular groups so far. */
export function keepsApart(slots: readonly Slot[], chosen: readonly Choice[], at: number, choice: Choice): boolean {
  if (slots[at]?.group.isUnsuffixed === true) return true;
  for (let before = 0; before < at; before += 1) {
    if (chosen[before]?.provider === choice.provider && slots[before]?.group.isUnsuffixed === false) return false;
  }
  return true;
}

/** Quick check: more granular groups share a list of choices than the list has entries. */
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
