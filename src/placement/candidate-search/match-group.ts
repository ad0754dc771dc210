// Finds the providers that one request group can use under one anchor, before groups are combined. The unsuffixed group
// becomes one slot per resource class (one provider per class); a granular group becomes one slot (one provider for all
// classes). A candidate chooses one provider for every slot.

import { fitsUnits, hasRoom } from '../domain/inventory';
import type { Inventory, Offer, Provider } from './provider-graph';
import { findInventory, makeOffer } from './provider-graph';
import type { Demand, PreparedGroup } from './request-group';
import { MASKED_SETS_MAX } from './request-group';
import type { Anchor } from './sharing';
import type { Work } from './work';

/**
 * A provider that can fill a slot by itself: one inventory per demand of the slot, in the same order. Bit n of the
 * mask: the provider meets the group's n-th required set of traits (unsuffixed group only). If no bit is set, it is the
 * same `Offer` object as in the tree.
 */
export type Choice = Offer;

/** One decision: which provider gives these demands. */
export interface Slot {
  /** The index of the slot in the query, counted over groups and their demands. */
  readonly index: number;
  readonly group: PreparedGroup;
  readonly demands: readonly Demand[];
  /** Ascending by provider id; never empty. */
  readonly choices: readonly Choice[];
}

const NO_OFFERS: readonly Offer[] = [];
const NO_DEMANDS: readonly Demand[] = [];
const NO_PROVIDERS: readonly Provider[] = [];

/** Matches all groups against one anchor, slot by slot; it can pause in the middle of a tree. */
export class Matching {
  /** In the order of the groups. Complete after `advance` returned true and nothing is unmatched. */
  readonly slots: Slot[] = [];
  /** A group finds no provider. */
  isUnmatched = false;
  private groupAt = 0;
  private demandAt = 0;
  /** The number of providers checked for the current slot, and those that fit. */
  private lookedAt = 0;
  private choices: Choice[] = [];

  constructor(
    private readonly anchor: Anchor,
    private readonly groups: readonly PreparedGroup[],
    private readonly work: Work,
  ) {}

  /** Continues; true when matching is complete, false when a pause is due first. */
  advance(): boolean {
    for (; this.groupAt < this.groups.length && !this.isUnmatched; this.groupAt += 1, this.demandAt = 0) {
      const group = this.groups[this.groupAt];
      if (group === undefined) return true;
      if (group.isUnsuffixed && !mayServeUnder(this.anchor, group)) this.isUnmatched = true;
      else if (!this.fillSlots(group)) return false;
    }
    return true;
  }

  private fillSlots(group: PreparedGroup): boolean {
    for (; this.demandAt < group.slotDemands.length; this.demandAt += 1) {
      const demands = group.slotDemands[this.demandAt] ?? NO_DEMANDS;
      const choices = this.sharedChoices(group) ?? this.findChoices(group, demands);
      if (choices === null) return false;
      if (choices.length === 0) {
        this.isUnmatched = true;
        return true;
      }
      this.slots.push({ index: this.slots.length, group, demands, choices });
    }
    return true;
  }

  /** Groups with the same demands have the same choices. */
  private sharedChoices({ likeSlot }: PreparedGroup): readonly Choice[] | null {
    return likeSlot === null ? null : (this.slots[likeSlot]?.choices ?? null);
  }

  /** Null when a pause is due before all were checked. */
  private findChoices(group: PreparedGroup, demands: readonly Demand[]): readonly Choice[] | null {
    const { anchor, work, choices } = this;
    const { providers, offers } = anchor.tree;
    const [first] = demands;
    const own = first === undefined || offers === null ? null : (offers.get(first.resourceClass) ?? NO_OFFERS);
    const ownCount = own === null ? providers.length : own.length;
    // `in_tree` of the unsuffixed group means this tree only, without sharing providers.
    const sharing = group.isUnsuffixed && group.inTree !== null ? NO_PROVIDERS : anchor.sharing;
    for (let at = this.lookedAt; at < ownCount + sharing.length; at += 1) {
      if (work.done >= work.pauseAt) {
        this.lookedAt = at;
        return null;
      }
      work.done += 1;
      let choice: Choice | null = null;
      if (own !== null && at < ownCount) {
        const offer = own[at];
        if (offer !== undefined) choice = choiceOf(anchor, group, demands, offer);
      } else {
        const provider = at < ownCount ? providers[at] : sharing[at - ownCount];
        if (provider !== undefined) choice = choiceOfProvider(anchor, group, demands, provider);
      }
      if (choice !== null) choices.push(choice);
    }
    this.choices = [];
    this.lookedAt = 0;
    return sharing.length === 0 ? choices : inOrder(choices);
  }
}

function choiceOfProvider(
  anchor: Anchor,
  group: PreparedGroup,
  demands: readonly Demand[],
  provider: Provider,
): Choice | null {
  const [first] = demands;
  if (first === undefined) return isAllowedGranular(group, provider) ? makeOffer(provider, []) : null;
  const inventory = findInventory(provider, first.resourceClass);
  return inventory === undefined ? null : choiceOf(anchor, group, demands, makeOffer(provider, [inventory]));
}

/** The offer of the first demand's class, if its provider has capacity for all demands and the group can use it. */
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

/** One allocation of `amount` fits next to the current usage and respects min_unit, max_unit and step_size. */
export function hasRoomFor(inventory: Inventory, amount: number): boolean {
  return hasRoom(inventory.capacity, inventory.used, amount) && fitsUnits(inventory, amount);
}

/**
 * The unsuffixed group is possible under this anchor: the tree matches `in_tree`, and the root is not in a forbidden
 * aggregate.
 */
function mayServeUnder(anchor: Anchor, group: PreparedGroup): boolean {
  if (group.inTree !== null && group.inTree.rootId !== anchor.root.id) return false;
  return !isInForbiddenAggregate(group, anchor.root);
}

/**
 * For the unsuffixed group an aggregate of the root covers its tree; a sharing provider of another tree needs its own.
 */
function isAllowedUnsuffixed(anchor: Anchor, group: PreparedGroup, provider: Provider): boolean {
  return (
    !hasForbiddenTrait(group, provider) &&
    !isInForbiddenAggregate(group, provider) &&
    (isMember(group, provider) || (anchor.owns(provider) && isMember(group, anchor.root)))
  );
}

/** A granular group checks only the provider itself. */
function isAllowedGranular(group: PreparedGroup, provider: Provider): boolean {
  return (
    (group.inTree === null || group.inTree.rootId === provider.rootId) &&
    !hasForbiddenTrait(group, provider) &&
    hasRequiredTraits(group, provider) &&
    !isInForbiddenAggregate(group, provider) &&
    isMember(group, provider)
  );
}

function hasForbiddenTrait(group: PreparedGroup, provider: Provider): boolean {
  for (const trait of group.forbiddenTraits) if (provider.traits.has(trait)) return true;
  return false;
}

function hasRequiredTraits(group: PreparedGroup, provider: Provider): boolean {
  for (const anyOf of group.requiredTraits) if (!hasAnyTrait(provider, anyOf)) return false;
  return true;
}

export function hasAnyTrait(provider: Provider, anyOf: readonly string[]): boolean {
  for (const trait of anyOf) if (provider.traits.has(trait)) return true;
  return false;
}

function isInForbiddenAggregate(group: PreparedGroup, provider: Provider): boolean {
  if (group.forbiddenAggregates.size === 0) return false;
  for (const aggregate of provider.aggregates) if (group.forbiddenAggregates.has(aggregate)) return true;
  return false;
}

/** The provider itself is in every positive `member_of` expression. */
function isMember(group: PreparedGroup, provider: Provider): boolean {
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

/** The tree's own providers ascend, and so do the sharing ones; this merges both. */
function inOrder(choices: Choice[]): Choice[] {
  for (let at = 1; at < choices.length; at += 1) {
    if ((choices[at - 1]?.provider.id ?? 0) > (choices[at]?.provider.id ?? 0)) {
      return choices.sort((first, second) => first.provider.id - second.provider.id);
    }
  }
  return choices;
}
