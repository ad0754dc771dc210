// What one request group may use under one anchor, before groups are combined.
// The unsuffixed group becomes one slot per resource class (each from one provider, different ones perhaps); a
// granular group becomes one slot (one provider gives all). A candidate chooses one provider for every slot.

import { fitsUnits, hasRoom } from '../domain/inventory';
import { findInventory, makeOffer } from './provider-graph';
import type { Inventory, Offer, Provider } from './provider-graph';
import { MASKED_SETS_MAX } from './request-group';
import type { Demand, PreparedGroup } from './request-group';
import type { Anchor } from './sharing';

/**
 * A provider that can fill a slot by itself: its inventories are one per demand of the slot, in the same order; bit n
 * of the mask says that it meets the group's n-th required set of traits (unsuffixed group only). Where nothing need be
 * added it is the very offer of the tree.
 */
export type Choice = Offer;

/** One decision to take: who gives these demands. */
export interface Slot {
  /** Which slot of the query it is: counted over groups and their demands. */
  readonly index: number;
  readonly group: PreparedGroup;
  readonly demands: readonly Demand[];
  /** Ascending by provider id; never empty. */
  readonly choices: readonly Choice[];
}

/** The group that finds nothing, and the class (null: the group as a whole) that nobody can give. */
export interface Unmatched {
  readonly group: PreparedGroup;
  readonly missing: string | null;
}

const NO_OFFERS: readonly Offer[] = [];

/** The slots of all groups, in the order of the groups; or the first group that finds nothing, and its missing class. */
export function matchGroups(anchor: Anchor, groups: readonly PreparedGroup[]): readonly Slot[] | Unmatched {
  const slots: Slot[] = [];
  for (const group of groups) {
    if (group.isUnsuffixed && !mayServeUnder(anchor, group)) return { group, missing: null };
    for (const demands of group.slotDemands) {
      const choices = choicesFor(anchor, group, demands);
      if (choices.length === 0) {
        return { group, missing: group.isUnsuffixed ? (demands[0]?.resourceClass ?? null) : null };
      }
      slots.push({ index: slots.length, group, demands, choices });
    }
  }
  return slots;
}

function choicesFor(anchor: Anchor, group: PreparedGroup, demands: readonly Demand[]): readonly Choice[] {
  const [first] = demands;
  if (first === undefined) return resourcelessChoices(anchor, group);
  const choices: Choice[] = [];
  const consider = (offer: Offer): void => {
    const choice = choiceOf(anchor, group, demands, offer);
    if (choice !== null) choices.push(choice);
  };
  const considerProvider = (provider: Provider): void => {
    const inventory = findInventory(provider, first.resourceClass);
    if (inventory !== undefined) consider(makeOffer(provider, [inventory]));
  };
  const { providers, offers } = anchor.tree;
  if (offers === null) for (const provider of providers) considerProvider(provider);
  else for (const offer of offers.get(first.resourceClass) ?? NO_OFFERS) consider(offer);
  // The unsuffixed group's wanted tree is this one, and it alone.
  if (group.isUnsuffixed && group.inTree !== null) return choices;
  const own = choices.length;
  for (const provider of anchor.sharing) considerProvider(provider);
  if (choices.length > own && own > 0) sortChoices(choices);
  return choices;
}

/** The offer of the first demand's class, if its provider has room for all demands and the group may use it. */
function choiceOf(anchor: Anchor, group: PreparedGroup, demands: readonly Demand[], offer: Offer): Choice | null {
  const { provider } = offer;
  const [inventory] = offer.inventories;
  const [first] = demands;
  if (inventory === undefined || first === undefined || !hasRoomFor(inventory, first.amount)) return null;
  if (group.isUnsuffixed) {
    if (!isAllowedUnsuffixed(anchor, group, provider)) return null;
    const traitMask = traitMaskOf(group, provider);
    return traitMask === 0 ? offer : makeOffer(provider, offer.inventories, traitMask);
  }
  if (!isAllowedGranular(group, provider)) return null;
  if (demands.length === 1) return offer;
  const inventories = [inventory];
  for (let at = 1; at < demands.length; at += 1) {
    const { resourceClass, amount } = demands[at] ?? first;
    const other = findInventory(provider, resourceClass);
    if (other === undefined || !hasRoomFor(other, amount)) return null;
    inventories.push(other);
  }
  return makeOffer(provider, inventories);
}

function resourcelessChoices(anchor: Anchor, group: PreparedGroup): readonly Choice[] {
  return sortChoices(
    [...anchor.tree.providers, ...anchor.sharing]
      .filter((provider) => isAllowedGranular(group, provider))
      .map((provider) => makeOffer(provider, [])),
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
  for (const anyOf of group.memberOf) if (!isInAny(anyOf, provider.aggregates)) return false;
  return true;
}

function isInAny(anyOf: ReadonlySet<string>, aggregates: readonly string[]): boolean {
  for (const aggregate of aggregates) if (anyOf.has(aggregate)) return true;
  return false;
}

function traitMaskOf(group: PreparedGroup, provider: Provider): number {
  let traitMask = 0;
  const sets = Math.min(group.requiredTraits.length, MASKED_SETS_MAX);
  for (let bit = 0; bit < sets; bit += 1) {
    if (hasAnyTrait(provider, group.requiredTraits[bit] ?? [])) traitMask |= 1 << bit;
  }
  return traitMask;
}

function sortChoices(choices: Choice[]): Choice[] {
  return choices.sort((first, second) => first.provider.id - second.provider.id);
}
