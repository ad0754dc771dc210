// Which providers are alike to the slots of one anchor: whatever can be done with one of them can be done with the other
// in its place. A walk that failed with one need not be tried with the other.

import type { Walk } from '../../platform/values/walk';
import type { Choice, Slot } from './match-group';
import type { Provider } from './provider-graph';
import type { PreparedQuery } from './request-group';
import type { RoomBounds } from './room-bounds';
import type { Work } from './work';

/** A number for each provider that a slot can choose; like providers have the same. */
export function* likenessOf(
  slots: readonly Slot[],
  bounds: readonly RoomBounds[],
  query: PreparedQuery,
  work: Work,
): Walk<ReadonlyMap<Provider, number>> {
  const roles = yield* rolesOf(slots, work);
  const above = new Set<number>();
  if (query.sameSubtree.length > 0) {
    for (const { path } of roles.keys()) for (const id of path.slice(0, -1)) above.add(id);
  }
  const numbers = new Map<string, number>();
  const likeness = new Map<Provider, number>();
  for (const [provider, role] of roles) {
    const facts = [role, bounds.map((each) => each.room(provider) ?? '').join()];
    if (!query.nestedAware) facts.push(String(provider.rootId));
    if (query.sameSubtree.length > 0) facts.push(placeOf(provider, above));
    const key = facts.join('|');
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    likeness.set(provider, number);
    work.done += 1 + bounds.length;
    if (work.takesPause()) yield;
  }
  return likeness;
}

/** Siblings with nobody below them that could be chosen can stand for each other; others stand where nobody else does. */
function placeOf(provider: Provider, above: ReadonlySet<number>): string {
  return above.has(provider.id) ? `=${provider.id}` : `<${provider.parentId ?? ''}`;
}

/** Which slots can choose the provider, and which sets of traits it would meet. */
function* rolesOf(slots: readonly Slot[], work: Work): Walk<ReadonlyMap<Provider, string>> {
  const roles = new Map<Provider, string>();
  const seen = new Set<readonly Choice[]>();
  for (const [at, { choices }] of slots.entries()) {
    if (seen.has(choices)) continue;
    seen.add(choices);
    for (const { provider, traitMask } of choices) {
      roles.set(provider, `${roles.get(provider) ?? ''}${at}:${traitMask},`);
      work.done += 1;
      if (work.takesPause()) yield;
    }
  }
  return roles;
}
