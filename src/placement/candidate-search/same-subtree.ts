// `same_subtree`: among the providers mapped to the listed suffixes, one is ancestor-or-self of all others. While
// groups are combined, a choice is refused as soon as no completion can satisfy the constraint.

import type { Choice, Slot } from './match-group';
import type { Provider } from './provider-graph';
import { isAncestorOrSelf } from './provider-graph';

/** True when, after `choice` for slot `at`, the constraints on that slot can still be met. */
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

/** A necessary condition: a top exists or is still possible, and every bound slot after `at` has a choice that fits. */
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
      // If several slots are open, another one can still bring the top; the last one must decide it.
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

/** The provider that is ancestor-or-self of all given ones. */
function topOf(providers: readonly Provider[]): Provider | null {
  for (const top of providers) if (isAbove(top, providers)) return top;
  return null;
}

function isAbove(top: Provider, providers: readonly Provider[]): boolean {
  for (const provider of providers) if (!isAncestorOrSelf(top, provider)) return false;
  return true;
}
