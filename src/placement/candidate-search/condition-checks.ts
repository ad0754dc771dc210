// Which conditions of a request a tree fails, each condition checked by itself. Law: a tree with a candidate fails none. The
// converse does not hold: a tree can satisfy each condition and not all of them together.

import { fitsUnits } from '../domain/inventory';
import type { Condition, Failure } from './conditions';
import { requestedConditions } from './conditions';
import { hasAnyTrait, hasRoomFor } from './match-group';
import type { Inventory, Provider, ProviderGraph, Tree } from './provider-graph';
import { findInventory, largestAmount } from './provider-graph';
import type { RequestCondition } from './request-conditions';
import type { Demand, PreparedGroup, ResourceRequest } from './request-group';
import { prepareQuery } from './request-group';
import { Anchor } from './sharing';
import { TreeFit } from './tree-fit';

type Reason = Pick<Failure, 'code' | 'params' | 'isNever'>;

/** A group's part of a condition under one anchor; `visible`: the providers that the group can use there. */
interface Part {
  readonly anchor: Anchor;
  readonly group: PreparedGroup;
  readonly visible: readonly Provider[];
  readonly names: readonly string[];
}

export class ConditionChecks {
  readonly conditions: readonly Condition[];
  private readonly groups: ReadonlyMap<string, PreparedGroup>;
  /** For each class that several groups ask: the request for this class alone. */
  private readonly sums = new Map<Condition, TreeFit>();
  private readonly absences = new Map<string, string>();

  constructor(
    private readonly graph: ProviderGraph,
    private readonly request: ResourceRequest,
  ) {
    this.conditions = requestedConditions(request);
    const bounds = { maxCandidates: 1, strategy: null, perRoot: null, randomize: false } as const;
    const { groups } = prepareQuery(graph, { ...request, ...bounds });
    this.groups = new Map(groups.map((group) => [group.suffix, group]));
  }

  /** In the order of the conditions. Null: the request names another tree. */
  failuresOf(tree: Tree): readonly Failure[] | null {
    const anchor = new Anchor(this.graph, tree);
    const failures: Failure[] = [];
    for (const condition of this.conditions) {
      const reason = this.reasonOf(anchor, condition);
      if (reason === null) continue;
      if (condition.kind === 'host') return null;
      failures.push({ condition, ...reason });
    }
    return failures;
  }

  /** What one provider fails by itself under its own root, whatever other providers give. */
  failuresOfProvider(tree: Tree, provider: Provider): readonly Failure[] {
    const anchor = new Anchor(this.graph, tree);
    return this.conditions.flatMap((condition): Failure[] => {
      for (const part of condition.parts) {
        const reason = this.reasonOfPart(anchor, part, [provider]);
        if (reason !== null) return [{ condition, ...reason }];
      }
      return [];
    });
  }

  private reasonOf(anchor: Anchor, condition: Condition): Reason | null {
    for (const part of condition.parts) {
      const reason = this.reasonOfPart(anchor, part);
      if (reason !== null) return reason;
    }
    return condition.kind === 'resource' && condition.parts.length > 1 ? this.reasonOfSum(anchor, condition) : null;
  }

  private reasonOfPart(
    anchor: Anchor,
    { kind, group: suffix, names }: RequestCondition,
    only?: readonly Provider[],
  ): Reason | null {
    const { root } = anchor;
    if (kind === 'root_required') return hasAnyTrait(root, names) ? null : lasting('missing_trait', { missing: names });
    if (kind === 'root_forbidden')
      return hasAnyTrait(root, names) ? lasting('forbidden_trait', { present: names }) : null;
    const group = suffix === null ? undefined : this.groups.get(suffix);
    if (group === undefined) return null;
    const visible = visibleTo(anchor, group, only);
    const part: Part = { anchor, group, visible, names };
    switch (kind) {
      case 'in_tree':
        return visible.length > 0 ? null : lasting('other_tree');
      case 'class':
        return this.reasonOfClass(part);
      case 'required':
        return visible.some((provider) => hasAnyTrait(provider, names))
          ? null
          : lasting('missing_trait', { missing: names });
      case 'forbidden':
        return isServed(part, (provider) => !hasAnyTrait(provider, names))
          ? null
          : lasting('forbidden_trait', { present: names });
      case 'member_of': {
        const covers = group.isUnsuffixed && isInAny(root, names);
        return isServed(part, (provider) => isInAny(provider, names) || (covers && anchor.owns(provider)))
          ? null
          : lasting('not_a_member');
      }
      case 'forbidden_aggregates':
        return !(group.isUnsuffixed && isInAny(root, names)) && isServed(part, (provider) => !isInAny(provider, names))
          ? null
          : lasting('in_forbidden_aggregate');
      default:
        return null;
    }
  }

  private reasonOfClass({ anchor, group, visible, names }: Part): Reason | null {
    const demand = group.demands.find(({ resourceClass }) => resourceClass === names[0]);
    if (demand === undefined) return null;
    const having = visible.flatMap((provider) => offerOf(provider, demand));
    if (having.length === 0) return { code: this.absence(demand), params: { asked: demand.amount }, isNever: true };
    if (having.some(({ inventory }) => hasRoomFor(inventory, demand.amount))) return null;
    return reasonOfRoom(anchor, demand, having);
  }

  /** `not_connected`: a provider shares the class, but not with this tree. */
  private absence({ resourceClass }: Demand): string {
    let code = this.absences.get(resourceClass);
    if (code === undefined) {
      const sharing = this.graph.sharingIds.flatMap((id) => this.graph.findProvider(id) ?? []);
      const isShared = sharing.some((provider) => findInventory(provider, resourceClass) !== undefined);
      this.absences.set(resourceClass, (code = isShared ? 'not_connected' : 'no_inventory'));
    }
    return code;
  }

  /** Each group finds its amount; all of them together need not. */
  private reasonOfSum(anchor: Anchor, condition: Condition): Reason | null {
    const [resourceClass = ''] = condition.names;
    let fit = this.sums.get(condition);
    if (fit === undefined) {
      fit = new TreeFit(this.graph, onlyOf(this.request, resourceClass));
      this.sums.set(condition, fit);
    }
    if (fit.verdictOn(anchor.tree) !== 'does_not_fit') return null;
    const groups = condition.groups.flatMap((suffix) => this.groups.get(suffix) ?? []);
    const providers = new Set(groups.flatMap((group) => visibleTo(anchor, group)));
    const inventories = [...providers].flatMap((provider) => findInventory(provider, resourceClass) ?? []);
    const sumOf = (amountOf: (inventory: Inventory) => number): number =>
      inventories.reduce((sum, inventory) => sum + amountOf(inventory), 0);
    const [asked, free] = [condition.amount ?? 0, sumOf((each) => each.capacity - each.used)];
    return {
      code: 'sum_does_not_fit',
      params: { asked, free, lacking: Math.max(0, asked - free) },
      isNever: asked > sumOf(({ capacity }) => capacity),
    };
  }
}

/** One class of the request, without other conditions. */
function onlyOf(request: ResourceRequest, resourceClass: string): ResourceRequest {
  const groups = request.groups.flatMap((group) => {
    const amount = group.resources.get(resourceClass);
    if (amount === undefined) return [];
    const bare = { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] };
    return [{ ...group, ...bare, resources: new Map([[resourceClass, amount]]) }];
  });
  const whole = {
    groupPolicy: 'none',
    sameSubtree: [],
    rootRequired: [],
    rootForbidden: [],
    nestedAware: true,
  } as const;
  return { ...request, ...whole, groups };
}

interface ClassOffer {
  readonly provider: Provider;
  readonly inventory: Inventory;
}

function offerOf(provider: Provider, { resourceClass }: Demand): readonly ClassOffer[] {
  const inventory = findInventory(provider, resourceClass);
  return inventory === undefined ? [] : [{ provider, inventory }];
}

/** The figures are those of the nearest provider: the most room among those that could hold the amount when empty. */
function reasonOfRoom({ root }: Anchor, { amount: asked }: Demand, having: readonly ClassOffer[]): Reason {
  const spread = having.filter(({ inventory }) => largestAmount(inventory) > 0);
  const total = spread.reduce((sum, { inventory }) => sum + largestAmount(inventory), 0);
  if (!having.some((offer) => isAble(offer, asked)) && spread.length > 1 && total >= asked) {
    return { code: 'on_several_providers', params: { asked, free: total, providers: spread.length }, isNever: false };
  }
  const nearest = having.reduce((best, offer) => (isNearer(offer, best, asked) ? offer : best));
  const { provider, inventory } = nearest;
  const { capacity, used, minUnit, maxUnit, stepSize, total: size, reserved, allocationRatio } = inventory;
  return {
    code: roomCode(inventory, asked),
    params: {
      asked,
      free: capacity - used,
      lacking: used + asked - capacity,
      capacity,
      total: size,
      reserved,
      allocation_ratio: allocationRatio,
      min_unit: minUnit,
      max_unit: maxUnit,
      step_size: stepSize,
      provider: provider.uuid,
      ...(provider.id !== root.id && { provider_name: provider.name }),
    },
    isNever: !isAble(nearest, asked),
  };
}

/** Unit rules first: free room does not satisfy them. */
function roomCode(inventory: Inventory, amount: number): string {
  if (amount < inventory.minUnit) return 'below_min_unit';
  if (amount > inventory.maxUnit) return 'above_max_unit';
  return amount % inventory.stepSize === 0 ? 'not_enough_left' : 'no_multiple_of_step_size';
}

const isAble = ({ inventory }: ClassOffer, amount: number): boolean =>
  amount <= inventory.capacity && fitsUnits(inventory, amount);

function isNearer(one: ClassOffer, other: ClassOffer, amount: number): boolean {
  const isOneAble = isAble(one, amount);
  if (isOneAble !== isAble(other, amount)) return isOneAble;
  return one.inventory.capacity - one.inventory.used > other.inventory.capacity - other.inventory.used;
}

/** Providers of the tree, and sharing ones, that the group can use; none if the request names another tree. */
function visibleTo(anchor: Anchor, group: PreparedGroup, only?: readonly Provider[]): readonly Provider[] {
  const { tree, sharing } = anchor;
  const all = only ?? (sharing.length === 0 ? tree.providers : [...tree.providers, ...sharing]);
  const { inTree, isUnsuffixed } = group;
  if (inTree === null) return all;
  return all.filter((provider) => provider.rootId === inTree.rootId && (!isUnsuffixed || anchor.owns(provider)));
}

/**
 * For each class that the tree has at all, a provider of it `passes`. A tree without any of the classes is judged by its
 * root, because the condition is about hosts.
 */
function isServed({ anchor, group, visible }: Part, passes: (provider: Provider) => boolean): boolean {
  if (group.demands.length === 0) return visible.some(passes);
  let isAny = false;
  for (const demand of group.demands) {
    let [isPresent, isPassed] = [false, false];
    for (const provider of visible) {
      if (findInventory(provider, demand.resourceClass) === undefined) continue;
      isPresent = true;
      if (!passes(provider)) continue;
      isPassed = true;
      break;
    }
    if (isPresent && !isPassed) return false;
    isAny ||= isPresent;
  }
  return isAny || passes(anchor.root);
}

const isInAny = ({ aggregates }: Provider, names: readonly string[]): boolean =>
  aggregates.some((aggregate) => names.includes(aggregate));

const lasting = (code: string, params: Failure['params'] = {}): Reason => ({ code, params, isNever: false });
