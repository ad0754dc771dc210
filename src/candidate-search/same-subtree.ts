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
    const open = slots.filter((slot, index) => index > at && suffixes.has(slot.group.suffix));
    if (!canComplete(taken, open)) return false;
  }
  return true;
}

/** True when one of the providers is ancestor-or-self of all of them. */
export function isOneSubtree(providers: readonly Provider[]): boolean {
  return providers.some((top) => isAbove(top, providers));
}

/** A necessary condition: there is, or can be, a top; and every open slot has somebody who fits what is taken. */
function canComplete(taken: readonly Provider[], open: readonly Slot[]): boolean {
  const hasTop = isOneSubtree(taken);
  if (!hasTop && !open.some((slot) => slot.choices.some(({ provider }) => isAbove(provider, taken)))) return false;
  return open.every((slot) => slot.choices.some(({ provider }) => fitsBeside(provider, taken, hasTop, open.length)));
}

/** Another slot may still bring the top when several are open; the last one must settle it. */
function fitsBeside(provider: Provider, taken: readonly Provider[], hasTop: boolean, openCount: number): boolean {
  if (isAbove(provider, taken)) return true;
  if (hasTop && taken.some((top) => isAncestorOrSelf(top, provider) && isAbove(top, taken))) return true;
  return openCount > 1 && taken[0]?.rootId === provider.rootId;
}

function isAbove(top: Provider, providers: readonly Provider[]): boolean {
  return providers.every((provider) => isAncestorOrSelf(top, provider));
}
