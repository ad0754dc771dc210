// `same_subtree`: among the providers mapped to the listed suffixes one is ancestor-or-self of all others. While
// groups are combined, a choice is refused as soon as no completion of it could satisfy the constraint.

import type { Choice, Slot } from './match-group';
import { isAncestorOrSelf } from './provider-graph';
import type { Provider } from './provider-graph';

/** True when the constraints that bind slot `at` can still be met after taking `choice` for it. */
export function keepsSubtrees(
  slots: readonly Slot[],
  chosen: readonly Choice[],
  at: number,
  choice: Choice,
  constraints: readonly ReadonlySet<string>[],
): boolean {
  for (const suffixes of constraints) {
    if (!suffixes.has(slots[at]?.group.suffix ?? '')) continue;
    const taken = [choice.provider];
    for (let before = 0; before < at; before += 1) {
      const provider = chosen[before]?.provider;
      if (provider !== undefined && suffixes.has(slots[before]?.group.suffix ?? '')) taken.push(provider);
    }
    if (!canComplete(taken, slots, at, suffixes)) return false;
  }
  return true;
}

/**
 * A necessary condition: there is, or can be, a top; and every open slot, those bound behind `at`, has somebody who
 * fits what is taken.
 */
function canComplete(
  taken: readonly Provider[],
  slots: readonly Slot[],
  at: number,
  suffixes: ReadonlySet<string>,
): boolean {
  const top = topOf(taken);
  let open = 0;
  for (let next = at + 1; next < slots.length; next += 1) if (isBound(slots[next], suffixes)) open += 1;
  if (open === 0) return top !== null;
  let mayBringTop = top !== null;
  for (let next = at + 1; next < slots.length; next += 1) {
    const slot = slots[next];
    if (slot === undefined || !isBound(slot, suffixes)) continue;
    let fits = false;
    for (const { provider } of slot.choices) {
      if (isAbove(provider, taken)) fits = mayBringTop = true;
      else if (top !== null && isAncestorOrSelf(top, provider)) fits = true;
      // Another slot may still bring the top when several are open; the last one must decide it.
      else if (open > 1 && taken[0]?.rootId === provider.rootId) fits = true;
      if (fits && mayBringTop) break;
    }
    if (!fits) return false;
  }
  return mayBringTop;
}

function isBound(slot: Slot | undefined, suffixes: ReadonlySet<string>): boolean {
  return slot !== undefined && suffixes.has(slot.group.suffix);
}

/** Of the providers the one that is ancestor-or-self of all of them. */
function topOf(providers: readonly Provider[]): Provider | null {
  for (const top of providers) if (isAbove(top, providers)) return top;
  return null;
}

function isAbove(top: Provider, providers: readonly Provider[]): boolean {
  for (const provider of providers) if (!isAncestorOrSelf(top, provider)) return false;
  return true;
}
