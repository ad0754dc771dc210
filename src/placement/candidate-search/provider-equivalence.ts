// Equivalence of providers for the slots of one anchor: any combination stays valid if one provider replaces an
// equivalent one. After a prefix fails with one provider, it need not be tried with an equivalent one.

import type { Task } from '../../platform/values/task';
import type { CapacityBounds } from './capacity-bounds';
import type { Choice, Slot } from './match-group';
import type { Provider } from './provider-graph';
import type { PreparedQuery } from './request-group';
import type { Work } from './work';

/** A number for each provider that a slot can choose; equivalent providers have the same number. */
export function* equivalenceOf(
  slots: readonly Slot[],
  bounds: readonly CapacityBounds[],
  query: PreparedQuery,
  work: Work,
): Task<ReadonlyMap<Provider, number>> {
  const roles = yield* rolesOf(slots, work);
  const above = new Set<number>();
  if (query.sameSubtree.length > 0) {
    for (const { path } of roles.keys()) for (const id of path.slice(0, -1)) above.add(id);
  }
  const numbers = new Map<string, number>();
  const equivalence = new Map<Provider, number>();
  for (const [provider, role] of roles) {
    const facts = [role, bounds.map((each) => each.available(provider) ?? '').join()];
    if (!query.nestedAware) facts.push(String(provider.rootId));
    if (query.sameSubtree.length > 0) facts.push(placeOf(provider, above));
    const key = facts.join('|');
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    equivalence.set(provider, number);
    work.done += 1 + bounds.length;
    if (work.takesPause()) yield;
  }
  return equivalence;
}

/** Siblings without eligible descendants are interchangeable; every other provider has a position of its own. */
function placeOf(provider: Provider, above: ReadonlySet<number>): string {
  return above.has(provider.id) ? `=${provider.id}` : `<${provider.parentId ?? ''}`;
}

/** Which slots can choose the provider, and which sets of traits it would meet. */
function* rolesOf(slots: readonly Slot[], work: Work): Task<ReadonlyMap<Provider, string>> {
  const roles = new Map<Provider, string>();
  const choicesRead = new Set<readonly Choice[]>();
  for (const [at, { choices }] of slots.entries()) {
    if (choicesRead.has(choices)) continue;
    choicesRead.add(choices);
    for (const { provider, traitMask } of choices) {
      roles.set(provider, `${roles.get(provider) ?? ''}${at}:${traitMask},`);
      work.done += 1;
      if (work.takesPause()) yield;
    }
  }
  return roles;
}
