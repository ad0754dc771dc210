// What one request group may use under one anchor, before groups are combined.
// The unsuffixed group becomes one slot per resource class (each from one provider, different ones perhaps); a
// granular group becomes one slot (one provider gives all). A candidate chooses one provider for every slot.

import { fitsUnits, hasRoom } from '../domain/inventory';
import { findInventory } from './provider-graph';
import type { Inventory, Provider } from './provider-graph';
import type { Demand, PreparedGroup } from './request-group';
import type { Anchor } from './sharing';

/** The first so many any-of sets are followed by bit while combining; further ones are checked at the end. */
export const MASKED_SETS_MAX = 30;

/** A provider that can fill a slot by itself. */
export interface Choice {
  readonly provider: Provider;
  /** One per demand of the slot, in the same order. */
  readonly inventories: readonly Inventory[];
  /** Bit n: the provider meets the group's n-th required set of traits. */
  readonly traitMask: number;
}

/** One list for each demand of a query: what is made of it is then found again under every anchor. */
const ALONE = new WeakMap<Demand, readonly Demand[]>();

function alone(demand: Demand): readonly Demand[] {
  let list = ALONE.get(demand);
  if (list === undefined) ALONE.set(demand, (list = [demand]));
  return list;
}

/** One decision to take: who gives these demands. */
export interface Slot {
  readonly group: PreparedGroup;
  readonly demands: readonly Demand[];
  /** Ascending by provider id; never empty. */
  readonly choices: readonly Choice[];
}

/** The slots of a group under the anchor, or the class (null: the group as a whole) that nobody can give. */
export type GroupMatch = { readonly slots: readonly Slot[] } | { readonly missing: string | null };

export function matchGroup(anchor: Anchor, group: PreparedGroup): GroupMatch {
  if (group.isUnsuffixed) return matchUnsuffixed(anchor, group);
  const choices = group.demands.length === 0 ? resourcelessChoices(anchor, group) : granularChoices(anchor, group);
  if (choices.length === 0) return { missing: null };
  return { slots: [{ group, demands: group.demands, choices }] };
}

/** The slots of all groups, in the order of the groups; or the first group that finds nothing, and its missing class. */
export function matchGroups(
  anchor: Anchor,
  groups: readonly PreparedGroup[],
): { readonly slots: readonly Slot[] } | { readonly group: PreparedGroup; readonly missing: string | null } {
  const slots: Slot[] = [];
  for (const group of groups) {
    const match = matchGroup(anchor, group);
    if ('missing' in match) return { group, missing: match.missing };
    for (const slot of match.slots) slots.push(slot);
  }
  return { slots };
}

function matchUnsuffixed(anchor: Anchor, group: PreparedGroup): GroupMatch {
  if (!mayServeUnder(anchor, group)) return { missing: null };
  const slots: Slot[] = [];
  for (const demand of group.demands) {
    const choices: Choice[] = [];
    for (const { provider, inventory } of anchor.tree.offers.get(demand.resourceClass) ?? []) {
      if (hasRoomFor(inventory, demand.amount) && isAllowedUnsuffixed(anchor, group, provider)) {
        choices.push(choiceOf(group, provider, [inventory]));
      }
    }
    if (group.inTree === null) addSharedChoices(anchor, group, demand, choices);
    if (choices.length === 0) return { missing: demand.resourceClass };
    slots.push({ group, demands: alone(demand), choices });
  }
  return { slots };
}

function addSharedChoices(anchor: Anchor, group: PreparedGroup, demand: Demand, choices: Choice[]): void {
  const own = choices.length;
  for (const provider of anchor.sharing) {
    const inventory = findInventory(provider, demand.resourceClass);
    if (inventory === undefined || !hasRoomFor(inventory, demand.amount)) continue;
    if (isAllowedUnsuffixed(anchor, group, provider)) choices.push(choiceOf(group, provider, [inventory]));
  }
  if (choices.length > own && own > 0) sortChoices(choices);
}

function granularChoices(anchor: Anchor, group: PreparedGroup): readonly Choice[] {
  const [first, ...others] = group.demands;
  if (first === undefined) return [];
  const choices: Choice[] = [];
  const consider = (provider: Provider, inventory: Inventory): void => {
    if (!hasRoomFor(inventory, first.amount) || !isAllowedGranular(group, provider)) return;
    const inventories = [inventory];
    for (const demand of others) {
      const other = findInventory(provider, demand.resourceClass);
      if (other === undefined || !hasRoomFor(other, demand.amount)) return;
      inventories.push(other);
    }
    choices.push({ provider, inventories, traitMask: 0 });
  };
  for (const { provider, inventory } of anchor.tree.offers.get(first.resourceClass) ?? [])
    consider(provider, inventory);
  for (const provider of anchor.sharing) {
    const inventory = findInventory(provider, first.resourceClass);
    if (inventory !== undefined) consider(provider, inventory);
  }
  return sortChoices(choices);
}

function resourcelessChoices(anchor: Anchor, group: PreparedGroup): readonly Choice[] {
  return sortChoices(
    [...anchor.tree.providers, ...anchor.sharing]
      .filter((provider) => isAllowedGranular(group, provider))
      .map((provider) => ({ provider, inventories: [], traitMask: 0 })),
  );
}

/** One allocation of `amount` fits beside what is used and respects the units. */
export function hasRoomFor(inventory: Inventory, amount: number): boolean {
  return hasRoom(inventory.capacity, inventory.used, amount) && fitsUnits(inventory, amount);
}

/** The unsuffixed group under this anchor at all: its tree is the wanted one and its root not forbidden. */
export function mayServeUnder(anchor: Anchor, group: PreparedGroup): boolean {
  if (group.inTree !== null && group.inTree.rootId !== anchor.root.id) return false;
  return !isInForbiddenAggregate(group, anchor.root);
}

/** An aggregate of the root spans the tree for the unsuffixed group; a provider of another tree speaks for itself. */
export function isAllowedUnsuffixed(anchor: Anchor, group: PreparedGroup, provider: Provider): boolean {
  return (
    !hasForbiddenTrait(group, provider) &&
    !isInForbiddenAggregate(group, provider) &&
    (isMember(group, provider) || (anchor.owns(provider) && isMember(group, anchor.root)))
  );
}

/** A granular group looks at the provider itself and at nothing else. */
export function isAllowedGranular(group: PreparedGroup, provider: Provider): boolean {
  return (
    (group.inTree === null || group.inTree.rootId === provider.rootId) &&
    !hasForbiddenTrait(group, provider) &&
    hasRequiredTraits(group, provider) &&
    !isInForbiddenAggregate(group, provider) &&
    isMember(group, provider)
  );
}

export function hasForbiddenTrait(group: PreparedGroup, provider: Provider): boolean {
  for (const trait of group.forbiddenTraits) if (provider.traits.has(trait)) return true;
  return false;
}

export function hasRequiredTraits(group: PreparedGroup, provider: Provider): boolean {
  for (const anyOf of group.requiredTraits) if (!hasAnyTrait(provider, anyOf)) return false;
  return true;
}

export function hasAnyTrait(provider: Provider, anyOf: readonly string[]): boolean {
  for (const trait of anyOf) if (provider.traits.has(trait)) return true;
  return false;
}

export function isInForbiddenAggregate(group: PreparedGroup, provider: Provider): boolean {
  if (group.forbiddenAggregates.size === 0) return false;
  for (const aggregate of provider.aggregates) if (group.forbiddenAggregates.has(aggregate)) return true;
  return false;
}

/** The provider by itself is in all positive `member_of` expressions. */
export function isMember(group: PreparedGroup, provider: Provider): boolean {
  for (const anyOf of group.memberOf) {
    if (!provider.aggregates.some((aggregate) => anyOf.has(aggregate))) return false;
  }
  return true;
}

function choiceOf(group: PreparedGroup, provider: Provider, inventories: readonly Inventory[]): Choice {
  let traitMask = 0;
  const sets = Math.min(group.requiredTraits.length, MASKED_SETS_MAX);
  for (let bit = 0; bit < sets; bit += 1) {
    if (hasAnyTrait(provider, group.requiredTraits[bit] ?? [])) traitMask |= 1 << bit;
  }
  return { provider, inventories, traitMask };
}

function sortChoices(choices: Choice[]): Choice[] {
  return choices.sort((first, second) => first.provider.id - second.provider.id);
}
