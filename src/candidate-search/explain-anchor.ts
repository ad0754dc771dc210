// Why an anchor has no candidate. Runs only when somebody traces, after the fact and at leisure: the stages of matching
// are gone through one by one, and the first that leaves nobody is the reason.

import type { Walk } from '../domain/walk';
import type { AnchorSearch } from './anchor-search';
import { CombinationTally } from './combination-tally';
import type { CombinationRule } from './combination-tally';
import { Combinations, orderSlots } from './combine-groups';
import { hasForbiddenTrait, hasRequiredTraits, hasRoomFor, isInForbiddenAggregate, isMember } from './match-group';
import type { Slot } from './match-group';
import { findOverdemandedClass } from './merged-capacity';
import { findInventory } from './provider-graph';
import type { Inventory, Provider, ProviderGraph } from './provider-graph';
import type { Demand, PreparedGroup, PreparedQuery } from './request-group';
import type { Anchor } from './sharing';
import type { Rejection, RejectionParams, RejectionStage } from './trace';
import type { Work } from './work';

export type Reason = Pick<Rejection, 'stage' | 'code' | 'params'>;

/** A reason, and the group it is about; null: the request as a whole. */
export type AnchorReason = Reason & { readonly group: string | null };

/** So many steps are taken to find out whether one rule alone is to blame. */
const STEPS_PER_RULE_MAX = 50_000;

/** Why nothing was taken from under the anchor, now that all it has was gone through. */
export function* explainAnchor(
  graph: ProviderGraph,
  under: AnchorSearch,
  query: PreparedQuery,
  work: Work,
): Walk<AnchorReason> {
  const { anchor, unmatched } = under;
  if (unmatched === null) return yield* explainCombination(under, query, work);
  work.done += 4 * anchor.tree.providers.length;
  const { group, missing } = unmatched;
  return { group: group.suffix, ...explainMatch(graph, anchor, group, missing) };
}

/**
 * Why `group` finds nothing under the anchor, or nothing among `visible`; `missing` is the class nobody could give to
 * the unsuffixed group.
 */
export function explainMatch(
  graph: ProviderGraph,
  anchor: Anchor,
  group: PreparedGroup,
  missing: string | null,
  visible: readonly Provider[] = [...anchor.tree.providers, ...anchor.sharing],
): Reason {
  const demands = missing === null ? group.demands : group.demands.filter((demand) => demand.resourceClass === missing);
  const inTree = visible.filter((provider) => isInWantedTree(anchor, group, provider));
  if (inTree.length === 0) return reason('in_tree', 'other_tree', {});
  if (group.isUnsuffixed && isInForbiddenAggregate(group, anchor.root)) {
    return reason('aggregates', 'root_in_forbidden_aggregate', { aggregates: [...group.forbiddenAggregates] });
  }
  const having = inTree.filter((provider) => demands.every((demand) => has(provider, demand)));
  if (having.length === 0) return explainClass(graph, group, inTree, demands);
  const roomy = having.filter((provider) => demands.every((demand) => hasRoomOn(provider, demand)));
  if (roomy.length === 0) return explainRoom(having, demands);
  const traitful = roomy.filter(
    (provider) => !hasForbiddenTrait(group, provider) && (group.isUnsuffixed || hasRequiredTraits(group, provider)),
  );
  const asked = { resource_classes: demands.map((demand) => demand.resourceClass) };
  const { stage, code, params } =
    traitful.length === 0 ? explainTraits(group, roomy) : explainAggregates(anchor, group, traitful);
  return reason(stage, code, { ...asked, ...params });
}

/** Why the slots of an anchor, each of which had a choice, make no (new) candidate. */
function* explainCombination(
  { slots, tally, repeated, offersNothingNew }: AnchorSearch,
  query: PreparedQuery,
  work: Work,
): Walk<AnchorReason> {
  if (offersNothingNew) return { group: null, ...reason('combine', 'same_as_other_anchor', {}) };
  if (repeated > 0) return { group: null, ...reason('combine', 'same_as_other_anchor', { repeated }) };
  if (slots.length === 0) return { group: null, ...reason('combine', 'nothing_asked', {}) };
  if (tally.isExhausted) return { group: null, ...reason('combine', 'given_up', { steps: tally.steps }) };
  const rule = yield* soleRule(slots, query, [...tally.refusals.keys()], work);
  if (rule === null) {
    return { group: null, ...reason('combine', 'rules_together', { rules: [...tally.refusals.keys()].sort() }) };
  }
  const refused = tally.refusals.get(rule) ?? 0;
  const params: Record<string, string | number | readonly string[]> = { refused };
  if (rule === 'merged_capacity') {
    params['resource_classes'] = [...query.contendedClasses].sort();
    const overdemanded = yield* findOverdemandedClass(slots, query.contendedClasses, work);
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

function explainClass(
  graph: ProviderGraph,
  group: PreparedGroup,
  providers: readonly Provider[],
  demands: readonly Demand[],
): Reason {
  const absent = demands.filter((demand) => !providers.some((provider) => has(provider, demand)));
  const classes = absent.map((demand) => demand.resourceClass);
  if (absent.length === 0) {
    return reason('class', 'not_on_one_provider', { resource_classes: demands.map((demand) => demand.resourceClass) });
  }
  const elsewhere = graph.sharingIds
    .flatMap((id) => graph.findProvider(id) ?? [])
    .filter((provider) => absent.some((demand) => has(provider, demand)));
  if (elsewhere.length === 0) return reason('class', 'no_inventory', { resource_classes: classes });
  const { inTree } = group;
  const wanted = inTree === null ? elsewhere : elsewhere.filter((provider) => provider.rootId === inTree.rootId);
  return wanted.length > 0
    ? reason('sharing', 'not_connected', { resource_classes: classes, sharing_providers: wanted.length })
    : reason('sharing', 'not_in_tree', { resource_classes: classes, sharing_providers: elsewhere.length });
}

/** Names the provider with the most room among those that have what is asked, and the first demand it cannot meet. */
function explainRoom(providers: readonly Provider[], demands: readonly Demand[]): Reason {
  const failing = demands.find((demand) => !providers.some((provider) => hasRoomOn(provider, demand)));
  const best = failing === undefined ? undefined : roomiest(providers, failing.resourceClass);
  if (failing === undefined || best === undefined) {
    const classes = demands.map((demand) => demand.resourceClass);
    return reason('room', 'not_on_one_provider', { resource_classes: classes, providers: providers.length });
  }
  const { provider, inventory } = best;
  return reason('room', roomCode(inventory, failing.amount), {
    ...{ resource_class: failing.resourceClass, asked: failing.amount, provider: provider.uuid },
    ...{ capacity: inventory.capacity, used: inventory.used, min_unit: inventory.minUnit },
    ...{ max_unit: inventory.maxUnit, step_size: inventory.stepSize, providers: providers.length },
  });
}

function roomCode(inventory: Inventory, amount: number): string {
  if (inventory.used + amount > inventory.capacity) return 'not_enough_left';
  if (amount < inventory.minUnit) return 'below_min_unit';
  if (amount > inventory.maxUnit) return 'above_max_unit';
  return 'no_multiple_of_step_size';
}

function explainTraits(group: PreparedGroup, providers: readonly Provider[]): Reason {
  const free = providers.filter((provider) => !hasForbiddenTrait(group, provider));
  if (free.length === 0) {
    const present = group.forbiddenTraits.filter((trait) => providers.some(({ traits }) => traits.has(trait)));
    const params = { forbidden: group.forbiddenTraits, present, providers: providers.length };
    return reason('traits', 'forbidden_trait', params);
  }
  const lacking = free
    .map((provider) => ({ provider, sets: group.requiredTraits.filter((anyOf) => !hasAnyOf(provider, anyOf)) }))
    .sort((first, second) => first.sets.length - second.sets.length);
  const [nearest] = lacking;
  const sets = nearest?.sets ?? [];
  const isCommon = sets.every((anyOf) => !free.some((provider) => hasAnyOf(provider, anyOf)));
  return reason('traits', 'missing_trait', {
    ...{ required: group.requiredTraits.map(showAnyOf), missing: sets.map(showAnyOf), providers: free.length },
    ...(!isCommon && nearest !== undefined && { provider: nearest.provider.uuid }),
  });
}

function hasAnyOf(provider: Provider, anyOf: readonly string[]): boolean {
  return anyOf.some((trait) => provider.traits.has(trait));
}

/** What the slots ask of a class in all, and what the providers they could use have left of it. */
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

function explainAggregates(anchor: Anchor, group: PreparedGroup, providers: readonly Provider[]): Reason {
  const members = providers.filter(
    (provider) =>
      isMember(group, provider) || (group.isUnsuffixed && anchor.owns(provider) && isMember(group, anchor.root)),
  );
  if (members.length === 0) {
    const memberOf = group.memberOf.map((anyOf) => showAnyOf([...anyOf]));
    return reason('aggregates', 'not_a_member', { member_of: memberOf, providers: providers.length });
  }
  return reason('aggregates', 'in_forbidden_aggregate', {
    ...{ aggregates: [...group.forbiddenAggregates], providers: members.length },
  });
}

function isInWantedTree(anchor: Anchor, group: PreparedGroup, provider: Provider): boolean {
  if (group.inTree === null) return true;
  if (provider.rootId !== group.inTree.rootId) return false;
  return !group.isUnsuffixed || anchor.owns(provider);
}

function has(provider: Provider, demand: Demand): boolean {
  return findInventory(provider, demand.resourceClass) !== undefined;
}

function hasRoomOn(provider: Provider, demand: Demand): boolean {
  const inventory = findInventory(provider, demand.resourceClass);
  return inventory !== undefined && hasRoomFor(inventory, demand.amount);
}

function roomiest(
  providers: readonly Provider[],
  resourceClass: string,
): { readonly provider: Provider; readonly inventory: Inventory } | undefined {
  return providers
    .flatMap((provider) => {
      const inventory = findInventory(provider, resourceClass);
      return inventory === undefined ? [] : [{ provider, inventory }];
    })
    .sort((first, second) => roomLeft(second.inventory) - roomLeft(first.inventory))[0];
}

function roomLeft(inventory: Inventory): number {
  return inventory.capacity - inventory.used;
}

/** The rule that no combination would pass even if it were the only one; null when it takes several. */
function* soleRule(
  slots: readonly Slot[],
  query: PreparedQuery,
  refusing: readonly CombinationRule[],
  work: Work,
): Walk<CombinationRule | null> {
  const [only, ...others] = refusing;
  if (only !== undefined && others.length === 0) return only;
  for (const rule of refusing) if (yield* refutesAlone(slots, query, rule, work)) return rule;
  return null;
}

function* refutesAlone(slots: readonly Slot[], query: PreparedQuery, rule: CombinationRule, work: Work): Walk<boolean> {
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
  const tally = new CombinationTally();
  const ordered = orderSlots(freed, relaxed.contendedClasses);
  const combinations = new Combinations(ordered, relaxed, tally, work, STEPS_PER_RULE_MAX);
  for (;;) {
    const step = combinations.next();
    if (step !== 'paused') return step === 'none' && !tally.isExhausted;
    yield* work.pause();
    if (work.isUsedUp) return false;
  }
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
