// Explains why an anchor has no candidate. Runs only when a trace is recorded, after the search: it repeats the stages
// of matching one by one; the first stage that leaves no provider is the reason.

import { fitsUnits } from '../domain/inventory';
import type { AnchorSearch } from './anchor-search';
import type { CombinationRule } from './combination-counter';
import { CombinationCounter } from './combination-counter';
import { Combinations, orderSlots } from './combine-groups';
import type { Slot } from './match-group';
import { hasForbiddenTrait, hasRequiredTraits, hasRoomFor, isInForbiddenAggregate, isMember } from './match-group';
import { findOverdemandedClass } from './merged-capacity';
import type { Inventory, Provider, ProviderGraph } from './provider-graph';
import { findInventory } from './provider-graph';
import type { Demand, PreparedGroup, PreparedQuery } from './request-group';
import type { Anchor } from './sharing';
import type { Rejection, RejectionParams, RejectionStage } from './trace';
import { Work } from './work';

export type Reason = Pick<Rejection, 'stage' | 'code' | 'params'>;

/** A reason and its group; null: the request as a whole. */
type AnchorReason = Reason & { readonly group: string | null };

/** Maximum of steps to find out whether a single rule is the cause. */
const STEPS_PER_RULE_MAX = 50_000;

/** Why the anchor has no candidate, after everything under it was tried. */
export function explainAnchor(
  graph: ProviderGraph,
  under: AnchorSearch,
  query: PreparedQuery,
  work: Work,
): AnchorReason {
  const { anchor, unmatched } = under;
  if (unmatched === null) return explainCombination(under, query, work);
  const { group, missing } = unmatched;
  return { group: group.suffix, ...explainMatch(graph, anchor, { group, missing }, work) };
}

/** `missing`: the class that no provider gives to the unsuffixed group; null: the group as a whole. */
export interface EmptyMatch {
  readonly group: PreparedGroup;
  readonly missing: string | null;
}

/** Why `group` finds no provider under the anchor, or none among `visible`. */
export function explainMatch(
  graph: ProviderGraph,
  anchor: Anchor,
  { group, missing }: EmptyMatch,
  work: Work,
  visible: readonly Provider[] = [...anchor.tree.providers, ...anchor.sharing],
): Reason {
  const demands = missing === null ? group.demands : group.demands.filter((demand) => demand.resourceClass === missing);
  const inTree = filtered(visible, 1, work, (provider) => isInWantedTree(anchor, group, provider));
  if (inTree.length === 0) return reason('in_tree', 'other_tree', {});
  if (group.isUnsuffixed && isInForbiddenAggregate(group, anchor.root)) {
    return reason('aggregates', 'root_in_forbidden_aggregate', { aggregates: [...group.forbiddenAggregates] });
  }
  const looks = demands.length;
  const having = filtered(inTree, looks, work, (provider) => demands.every((demand) => hasInventory(provider, demand)));
  if (having.length === 0) return explainClass(graph, group, { providers: inTree, demands }, work);
  const roomy = filtered(having, looks, work, (provider) => demands.every((demand) => hasRoomOn(provider, demand)));
  if (roomy.length === 0) return explainRoom(anchor, having, demands);
  const traitful = filtered(
    roomy,
    traitLooks(group),
    work,
    (provider) => !hasForbiddenTrait(group, provider) && (group.isUnsuffixed || hasRequiredTraits(group, provider)),
  );
  const asked = { resource_classes: demands.map((demand) => demand.resourceClass) };
  const { stage, code, params } =
    traitful.length === 0
      ? explainTraits(anchor, group, roomy, work)
      : explainAggregates(anchor, group, traitful, work);
  return reason(stage, code, { ...asked, ...params });
}

/** The providers that pass, in their order; each check costs `steps` steps. */
function filtered(
  providers: readonly Provider[],
  steps: number,
  work: Work,
  passes: (provider: Provider) => boolean,
): readonly Provider[] {
  const passing: Provider[] = [];
  for (const provider of providers) {
    work.done += steps;
    if (passes(provider)) passing.push(provider);
  }
  return passing;
}

/** The steps to check one provider's traits. */
const traitLooks = ({ requiredTraits, forbiddenTraits }: PreparedGroup): number =>
  1 + forbiddenTraits.length + requiredTraits.reduce((sum, anyOf) => sum + anyOf.length, 0);

/** Why an anchor has no (new) candidate although each slot has a choice. */
function explainCombination(
  { slots, counter, repeated, offersNothingNew }: AnchorSearch,
  query: PreparedQuery,
  work: Work,
): AnchorReason {
  if (offersNothingNew) return { group: null, ...reason('combine', 'same_as_other_anchor', {}) };
  if (repeated > 0) return { group: null, ...reason('combine', 'same_as_other_anchor', { repeated }) };
  if (slots.length === 0) return { group: null, ...reason('combine', 'nothing_asked', {}) };
  if (counter.isExhausted) return { group: null, ...reason('combine', 'given_up', { steps: counter.steps }) };
  const rule = soleRule(slots, query, [...counter.refusals.keys()], work);
  if (rule === null) {
    return { group: null, ...reason('combine', 'rules_together', { rules: [...counter.refusals.keys()].sort() }) };
  }
  const refused = counter.refusals.get(rule) ?? 0;
  const params: Record<string, string | number | readonly string[]> = { refused };
  if (rule === 'merged_capacity') {
    params['resource_classes'] = [...query.contendedClasses].sort();
    const overdemanded = findOverdemandedClass(slots, query.contendedClasses, work);
    if (overdemanded !== null) Object.assign(params, { resource_class: overdemanded, ...sumsOf(slots, overdemanded) });
  }
  if (rule === 'group_policy') params['groups'] = suffixesOf(slots);
  if (rule === 'same_subtree') params['same_subtree'] = query.sameSubtree.map((suffixes) => [...suffixes].join());
  if (rule !== 'traits') return { group: null, ...reason(STAGES[rule], CODES[rule], params) };
  const unsuffixed = query.groups.find((group) => group.isUnsuffixed);
  const required = unsuffixed?.requiredTraits ?? [];
  const choices = slots.filter((slot) => slot.group === unsuffixed).flatMap((slot) => slot.choices);
  params['required'] = required.map(showAnyOf);
  params['missing'] = required
    .filter((anyOf) => !choices.some(({ provider }) => hasAnyOf(provider, anyOf)))
    .map(showAnyOf);
  return { group: '', ...reason(STAGES[rule], CODES[rule], params) };
}

const STAGES: Readonly<Record<CombinationRule, RejectionStage>> = {
  group_policy: 'group_policy',
  single_provider_per_tree: 'combine',
  merged_capacity: 'merged_capacity',
  same_subtree: 'same_subtree',
  traits: 'traits',
};

const CODES: Readonly<Record<CombinationRule, string>> = {
  group_policy: 'not_enough_different_providers',
  single_provider_per_tree: 'needs_several_providers_of_one_tree',
  merged_capacity: 'sum_does_not_fit',
  same_subtree: 'no_common_subtree',
  traits: 'not_collectively_met',
};

export function explainClass(
  graph: ProviderGraph,
  group: PreparedGroup,
  { providers, demands }: { readonly providers: readonly Provider[]; readonly demands: readonly Demand[] },
  work: Work,
): Reason {
  const present = new Set<Demand>();
  for (const provider of providers) {
    if (present.size === demands.length) break;
    work.done += demands.length;
    for (const demand of demands) if (hasInventory(provider, demand)) present.add(demand);
  }
  const absent = demands.filter((demand) => !present.has(demand));
  const classes = absent.map((demand) => demand.resourceClass);
  if (absent.length === 0) {
    return reason('class', 'not_on_one_provider', { resource_classes: demands.map((demand) => demand.resourceClass) });
  }
  const elsewhere = sharersOf(graph, group, absent, work);
  if (elsewhere.all === 0) return reason('class', 'no_inventory', { resource_classes: classes });
  return elsewhere.inWantedTree > 0
    ? reason('sharing', 'not_connected', { resource_classes: classes, sharing_providers: elsewhere.inWantedTree })
    : reason('sharing', 'not_in_tree', { resource_classes: classes, sharing_providers: elsewhere.all });
}

/**
 * Sharing providers of the whole graph with at least one of the given classes; `inWantedTree`: those in the tree of the
 * group's `in_tree`.
 */
interface Sharers {
  readonly all: number;
  readonly inWantedTree: number;
}

/** One search needs this under every anchor, with the same result. */
const sharersKnown = new WeakMap<PreparedGroup, Map<string, Sharers>>();

function sharersOf(graph: ProviderGraph, group: PreparedGroup, absent: readonly Demand[], work: Work): Sharers {
  let known = sharersKnown.get(group);
  if (known === undefined) sharersKnown.set(group, (known = new Map<string, Sharers>()));
  const key = absent.map((demand) => demand.resourceClass).join();
  let sharers = known.get(key);
  if (sharers === undefined) {
    const { inTree } = group;
    let [all, inWantedTree] = [0, 0];
    for (const id of graph.sharingIds) {
      work.done += absent.length;
      const provider = graph.findProvider(id);
      if (provider === undefined || !absent.some((demand) => hasInventory(provider, demand))) continue;
      all += 1;
      if (inTree === null || provider.rootId === inTree.rootId) inWantedTree += 1;
    }
    known.set(key, (sharers = { all, inWantedTree }));
  }
  return sharers;
}

/**
 * Names the first demand that no provider meets, and the nearest provider: the one with the most room among those that
 * could hold the amount when empty; if none could, the one with the most room of all.
 */
export function explainRoom(anchor: Anchor, providers: readonly Provider[], demands: readonly Demand[]): Reason {
  const failing = demands.find((demand) => !providers.some((provider) => hasRoomOn(provider, demand)));
  const best = failing === undefined ? undefined : nearestTo(failing, providers);
  if (failing === undefined || best === undefined) {
    const classes = demands.map((demand) => demand.resourceClass);
    return reason('room', 'not_on_one_provider', { resource_classes: classes, providers: providers.length });
  }
  const { provider, inventory } = best;
  return reason('room', roomCode(inventory, failing.amount), {
    resource_class: failing.resourceClass,
    asked: failing.amount,
    provider: provider.uuid,
    capacity: inventory.capacity,
    total: inventory.total,
    reserved: inventory.reserved,
    allocation_ratio: inventory.allocationRatio,
    used: inventory.used,
    min_unit: inventory.minUnit,
    max_unit: inventory.maxUnit,
    step_size: inventory.stepSize,
    providers: providers.length,
    ...nameOf(anchor, provider),
  });
}

/** The name of the provider in a reason. */
const nameOf = ({ root }: Anchor, { id, name }: Provider): RejectionParams => ({
  provider_name: name,
  is_root: id === root.id,
});

/** Unit rules first: free room does not fix them. */
function roomCode(inventory: Inventory, amount: number): string {
  if (amount < inventory.minUnit) return 'below_min_unit';
  if (amount > inventory.maxUnit) return 'above_max_unit';
  return amount % inventory.stepSize === 0 ? 'not_enough_left' : 'no_multiple_of_step_size';
}

function explainTraits(anchor: Anchor, group: PreparedGroup, providers: readonly Provider[], work: Work): Reason {
  const looks = traitLooks(group);
  const free = filtered(providers, looks, work, (provider) => !hasForbiddenTrait(group, provider));
  if (free.length === 0) {
    const met = new Set<string>();
    for (const { traits } of providers) {
      work.done += looks;
      for (const trait of group.forbiddenTraits) if (traits.has(trait)) met.add(trait);
    }
    const present = group.forbiddenTraits.filter((trait) => met.has(trait));
    const params = { forbidden: group.forbiddenTraits, present, providers: providers.length };
    return reason('traits', 'forbidden_trait', params);
  }
  let nearest: Provider | undefined;
  let sets: PreparedGroup['requiredTraits'] = [];
  /** The sets that at least one provider meets. */
  const metSets = new Set<readonly string[]>();
  for (const provider of free) {
    work.done += looks;
    const missing: (readonly string[])[] = [];
    for (const anyOf of group.requiredTraits) {
      if (hasAnyOf(provider, anyOf)) metSets.add(anyOf);
      else missing.push(anyOf);
    }
    if (nearest === undefined || missing.length < sets.length) [nearest, sets] = [provider, missing];
  }
  const isCommon = sets.every((anyOf) => !metSets.has(anyOf));
  return reason('traits', 'missing_trait', {
    required: group.requiredTraits.map(showAnyOf),
    missing: sets.map(showAnyOf),
    providers: free.length,
    ...(!isCommon && nearest !== undefined && { provider: nearest.uuid, ...nameOf(anchor, nearest) }),
  });
}

function hasAnyOf(provider: Provider, anyOf: readonly string[]): boolean {
  return anyOf.some((trait) => provider.traits.has(trait));
}

/** The sum that the slots request of a class, and the room that their possible providers have left. */
function sumsOf(slots: readonly Slot[], resourceClass: string): { readonly asked: number; readonly left: number } {
  let asked = 0;
  const inventories = new Set<Inventory>();
  for (const slot of slots) {
    const amount = slot.demands.find((demand) => demand.resourceClass === resourceClass)?.amount ?? 0;
    asked += amount;
    if (amount === 0) continue;
    for (const choice of slot.choices) {
      for (const inventory of choice.inventories) {
        if (inventory.resourceClass === resourceClass) inventories.add(inventory);
      }
    }
  }
  return { asked, left: [...inventories].reduce((sum, inventory) => sum + roomLeft(inventory), 0) };
}

function explainAggregates(anchor: Anchor, group: PreparedGroup, providers: readonly Provider[], work: Work): Reason {
  const members = filtered(
    providers,
    1 + group.memberOf.length,
    work,
    (provider) =>
      isMember(group, provider) || (group.isUnsuffixed && anchor.owns(provider) && isMember(group, anchor.root)),
  );
  if (members.length === 0) {
    const memberOf = group.memberOf.map((anyOf) => showAnyOf([...anyOf]));
    return reason('aggregates', 'not_a_member', { member_of: memberOf, providers: providers.length });
  }
  return reason('aggregates', 'in_forbidden_aggregate', {
    aggregates: [...group.forbiddenAggregates],
    providers: members.length,
  });
}

export function isInWantedTree(anchor: Anchor, group: PreparedGroup, provider: Provider): boolean {
  if (group.inTree === null) return true;
  if (provider.rootId !== group.inTree.rootId) return false;
  return !group.isUnsuffixed || anchor.owns(provider);
}

export function hasInventory(provider: Provider, demand: Demand): boolean {
  return findInventory(provider, demand.resourceClass) !== undefined;
}

export function hasRoomOn(provider: Provider, demand: Demand): boolean {
  const inventory = findInventory(provider, demand.resourceClass);
  return inventory !== undefined && hasRoomFor(inventory, demand.amount);
}

interface Nearest {
  readonly provider: Provider;
  readonly inventory: Inventory;
  /** The inventory could hold the amount if it were unused. */
  readonly isAble: boolean;
}

function nearestTo({ resourceClass, amount }: Demand, providers: readonly Provider[]): Nearest | undefined {
  let best: Nearest | undefined;
  for (const provider of providers) {
    const inventory = findInventory(provider, resourceClass);
    if (inventory === undefined) continue;
    const isAble = amount <= inventory.capacity && fitsUnits(inventory, amount);
    const isNearer =
      best === undefined || (isAble === best.isAble ? roomLeft(inventory) > roomLeft(best.inventory) : isAble);
    if (isNearer) best = { provider, inventory, isAble };
  }
  return best;
}

function roomLeft(inventory: Inventory): number {
  return inventory.capacity - inventory.used;
}

/** The rule that alone refuses every combination; null if only several rules together do. */
function soleRule(
  slots: readonly Slot[],
  query: PreparedQuery,
  refusing: readonly CombinationRule[],
  work: Work,
): CombinationRule | null {
  const [only, ...others] = refusing;
  if (only !== undefined && others.length === 0) return only;
  for (const rule of refusing) if (refutesAlone(slots, query, rule, work)) return rule;
  return null;
}

function refutesAlone(slots: readonly Slot[], query: PreparedQuery, rule: CombinationRule, work: Work): boolean {
  const groups = new Map(
    query.groups.map((group) => [group, rule === 'traits' ? group : { ...group, requiredTraits: [] }]),
  );
  const relaxed: PreparedQuery = {
    ...query,
    groups: [...groups.values()],
    isIsolating: rule === 'group_policy' && query.isIsolating,
    sameSubtree: rule === 'same_subtree' ? query.sameSubtree : [],
    nestedAware: rule !== 'single_provider_per_tree' || query.nestedAware,
    collectiveTraitMask: rule === 'traits' ? query.collectiveTraitMask : 0,
    contendedClasses: rule === 'merged_capacity' ? query.contendedClasses : new Set(),
  };
  const freed = slots.map((slot) => ({ ...slot, group: groups.get(slot.group) ?? slot.group }));
  const counter = new CombinationCounter();
  const ordered = orderSlots(freed, relaxed.contendedClasses);
  const own = Work.withoutPauses();
  const step = new Combinations(ordered, relaxed, counter, own, STEPS_PER_RULE_MAX).next();
  work.done += own.done;
  return step === 'none' && !counter.isExhausted;
}

function suffixesOf(slots: readonly Slot[]): readonly string[] {
  return [...new Set(slots.map((slot) => slot.group.suffix))].filter((suffix) => suffix !== '');
}

function showAnyOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : `in:${names.join()}`;
}

function reason(stage: RejectionStage, code: string, params: RejectionParams): Reason {
  return { stage, code, params };
}
