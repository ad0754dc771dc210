// Checks whether the reason of a rejection is true: its params are evaluated against the rows of the world,
// independently of the engine.

import type {
  CandidateQuery,
  GraphRows,
  InventoryRow,
  Rejection,
  RequestGroup,
} from '../../src/placement/candidate-search';
import { fitsUnits } from '../../src/placement/domain/inventory';
import { MODEL_RULES, modelAnchors } from './candidates-model';

const SHARES = 'MISC_SHARES_VIA_AGGREGATE';

/** The fault in the reason, or null. */
export function faultOf(rows: GraphRows, query: CandidateQuery, rejection: Rejection): string | null {
  const judge = new ReasonJudge(rows, query, rejection);
  const fact = FACTS[`${rejection.stage}.${rejection.code}`];
  if (fact === undefined) return `nobody knows how to prove ${rejection.stage}.${rejection.code}`;
  return fact(judge) ? null : 'the params do not prove it';
}

const FACTS: Readonly<Record<string, (judge: ReasonJudge) => boolean>> = {
  'root.missing_trait': (j) => j.query.rootRequired.includes(j.text('trait')) && !j.hasTrait(j.rootId, j.text('trait')),
  'root.forbidden_trait': (j) =>
    j.query.rootForbidden.includes(j.text('trait')) && j.hasTrait(j.rootId, j.text('trait')),
  'in_tree.other_tree': (j) => {
    const wanted = j.rows.providers.find(({ uuid }) => uuid === j.group?.inTree)?.rootId;
    return (
      j.group?.inTree !== null &&
      j.visible.every(({ rootId }) => rootId !== wanted || (j.group?.suffix === '' && rootId !== j.rootId))
    );
  },
  'class.no_inventory': (j) =>
    j.list('resource_classes').every((name) => j.isAbsent(name) && j.sharersOf([name]).length === 0),
  'class.not_on_one_provider': (j) =>
    !j.inTree().some(({ id }) => j.list('resource_classes').every((name) => j.inventory(id, name) !== undefined)),
  'sharing.not_connected': (j) =>
    j.list('resource_classes').every((name) => j.isAbsent(name)) && j.number('sharing_providers') > 0,
  'sharing.not_in_tree': (j) =>
    j.group?.inTree !== null && j.sharersOf(j.list('resource_classes')).length === j.number('sharing_providers'),
  'room.not_enough_left': (j) =>
    j.isRoomReported() &&
    j.number('used') + j.number('asked') > j.number('capacity') &&
    (j.number('asked') <= j.number('capacity') || !j.isEverHeld()),
  'room.below_min_unit': (j) => j.isRoomReported() && !j.isEverHeld() && j.number('asked') < j.number('min_unit'),
  'room.above_max_unit': (j) => j.isRoomReported() && !j.isEverHeld() && j.number('asked') > j.number('max_unit'),
  'room.no_multiple_of_step_size': (j) =>
    j.isRoomReported() && !j.isEverHeld() && j.number('asked') % j.number('step_size') !== 0,
  'room.not_on_one_provider': (j) =>
    !j.inTree().some(({ id }) => j.demands.every(([name, amount]) => j.hasRoom(id, name, amount))),
  'traits.missing_trait': (j) => {
    const nearest = j.rejection.params['provider'];
    const lacking = nearest === undefined ? j.roomy() : j.roomy().filter(({ uuid }) => uuid === nearest);
    const forbidden = j.group?.forbiddenTraits ?? [];
    const free = lacking.filter(({ id }) => !forbidden.some((trait) => j.hasTrait(id, trait)));
    return (
      j.list('missing').length > 0 &&
      free.length > 0 &&
      free.every(({ id }) => j.list('missing').every((set) => !j.meets(id, set)))
    );
  },
  'traits.forbidden_trait': (j) =>
    j.roomy().length === j.number('providers') &&
    j.roomy().every(({ id }) => j.list('present').some((trait) => j.hasTrait(id, trait))),
  'traits.not_collectively_met': (j) =>
    j.isRefutedBy(['traits']) && j.list('missing').every((set) => j.list('required').includes(set)),
  'aggregates.not_a_member': (j) => {
    const traitful = j.roomy().filter(({ id }) => !j.isBarred(id));
    return traitful.length === j.number('providers') && traitful.every(({ id, rootId }) => !j.isSpanned(id, rootId));
  },
  'aggregates.in_forbidden_aggregate': (j) => {
    const members = j.roomy().filter(({ id, rootId }) => !j.isBarred(id) && j.isSpanned(id, rootId));
    return members.length === j.number('providers') && members.every(({ id }) => j.isForbidden(id));
  },
  'aggregates.root_in_forbidden_aggregate': (j) => j.isForbidden(j.rootId),
  'group_policy.not_enough_different_providers': (j) => j.isRefutedBy(['group_policy']) && j.list('groups').length > 1,
  'same_subtree.no_common_subtree': (j) => j.isRefutedBy(['same_subtree']) && j.list('same_subtree').length > 0,
  'merged_capacity.sum_does_not_fit': (j) => j.isRefutedBy(['merged_capacity']) && j.isSumReported(),
  'combine.needs_several_providers_of_one_tree': (j) => j.isRefutedBy(['single_provider_per_tree']),
  'combine.rules_together': (j) =>
    j.isRefutedBy(MODEL_RULES) &&
    j.list('rules').length > 1 &&
    j.list('rules').every((rule) => !j.isRefutedAlone(rule)),
};

class ReasonJudge {
  readonly rootId: number;
  readonly group: RequestGroup | undefined;
  /** The providers of the tree, and the sharing providers that have an aggregate in common with one of them. */
  readonly visible: GraphRows['providers'];

  constructor(
    readonly rows: GraphRows,
    readonly query: CandidateQuery,
    readonly rejection: Rejection,
  ) {
    this.rootId = rejection.root.id;
    this.group = query.groups.find(({ suffix }) => suffix === rejection.group);
    const own = rows.providers.filter(({ rootId }) => rootId === this.rootId);
    const aggregates = new Set(own.flatMap(({ id }) => this.aggregatesOf(id)));
    this.visible = rows.providers.filter(
      ({ id, rootId }) =>
        rootId === this.rootId ||
        (this.hasTrait(id, SHARES) && this.aggregatesOf(id).some((aggregate) => aggregates.has(aggregate))),
    );
  }

  get demands(): readonly (readonly [string, number])[] {
    return [...(this.group?.resources ?? [])];
  }

  /** Every group finds providers under the root, but these rules refuse all combinations. */
  isRefutedBy(rules: readonly string[]): boolean {
    const all = modelAnchors(this.rows, this.query, []);
    const kept = modelAnchors(this.rows, this.query, rules);
    // Too many combinations to try.
    if (all === null || kept === null) return true;
    return (all.get(this.rootId)?.size ?? 0) > 0 && kept.get(this.rootId)?.size === 0;
  }

  isRefutedAlone(rule: string): boolean {
    return modelAnchors(this.rows, this.query, [rule])?.get(this.rootId)?.size === 0;
  }

  text(name: string): string {
    return String(this.rejection.params[name]);
  }

  number(name: string): number {
    return Number(this.rejection.params[name]);
  }

  list(name: string): readonly string[] {
    const value = this.rejection.params[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  hasTrait(id: number, trait: string): boolean {
    return this.rows.traits.some((row) => row.providerId === id && row.trait === trait);
  }

  /** `A` or `in:A,B`. */
  meets(id: number, set: string): boolean {
    return set
      .replace(/^in:/, '')
      .split(',')
      .some((trait) => this.hasTrait(id, trait));
  }

  inventory(id: number, resourceClass: string): InventoryRow | undefined {
    return this.rows.inventories.find((row) => row.providerId === id && row.resourceClass === resourceClass);
  }

  hasRoom(id: number, resourceClass: string, amount: number): boolean {
    const row = this.inventory(id, resourceClass);
    return (
      row !== undefined &&
      row.used + amount <= row.capacity &&
      amount >= row.minUnit &&
      amount <= row.maxUnit &&
      amount % row.stepSize === 0
    );
  }

  /** No visible provider (within `in_tree`, if given) has the class. */
  isAbsent(resourceClass: string): boolean {
    return this.inTree().every(({ id }) => this.inventory(id, resourceClass) === undefined);
  }

  sharersOf(classes: readonly string[]): readonly number[] {
    return this.rows.providers
      .map(({ id }) => id)
      .filter((id) => this.hasTrait(id, SHARES) && classes.some((name) => this.inventory(id, name) !== undefined));
  }

  /** The providers whose traits and aggregates count: those with room for the missing class. */
  roomy(): GraphRows['providers'] {
    const asked = this.demands.filter(([name]) => this.list('resource_classes').includes(name));
    return this.inTree().filter(({ id }) => asked.every(([name, amount]) => this.hasRoom(id, name, amount)));
  }

  /** The provider, or for the unsuffixed group its root, is in the requested aggregates. */
  isSpanned(id: number, rootId: number): boolean {
    return this.isMember(id) || (this.group?.suffix === '' && rootId === this.rootId && this.isMember(rootId));
  }

  inTree(): GraphRows['providers'] {
    const inTree = this.group?.inTree ?? null;
    if (inTree === null) return this.visible;
    const wanted = this.rows.providers.find(({ uuid }) => uuid === inTree)?.rootId;
    return this.visible.filter(({ rootId }) => rootId === wanted);
  }

  /** Has a forbidden trait or, for a granular group, lacks a required one. */
  isBarred(id: number): boolean {
    const { suffix = '', forbiddenTraits = [], requiredTraits = [] } = this.group ?? {};
    if (forbiddenTraits.some((trait) => this.hasTrait(id, trait))) return true;
    return suffix !== '' && !requiredTraits.every((anyOf) => anyOf.some((trait) => this.hasTrait(id, trait)));
  }

  isMember(id: number): boolean {
    const memberOf = this.group?.memberOf ?? [];
    return memberOf.every((anyOf) => this.aggregatesOf(id).some((aggregate) => anyOf.includes(aggregate)));
  }

  isForbidden(id: number): boolean {
    return this.aggregatesOf(id).some((aggregate) => this.group?.forbiddenAggregates.includes(aggregate));
  }

  /** The numbers are those of the named provider, and the requested amount is that of the group. */
  isRoomReported(): boolean {
    const provider = this.visible.find(({ uuid }) => uuid === this.text('provider'));
    const row = provider === undefined ? undefined : this.inventory(provider.id, this.text('resource_class'));
    return (
      row !== undefined &&
      this.group?.resources.get(row.resourceClass) === this.number('asked') &&
      row.used === this.number('used') &&
      row.capacity === this.number('capacity') &&
      row.minUnit === this.number('min_unit') &&
      row.maxUnit === this.number('max_unit') &&
      row.stepSize === this.number('step_size') &&
      this.visible.every(({ id }) => !this.hasRoomOfAll(id, row.resourceClass))
    );
  }

  /** A provider with all classes of the group (unsuffixed: with the given class) could hold the amount when empty. */
  isEverHeld(): boolean {
    const [resourceClass, asked] = [this.text('resource_class'), this.number('asked')];
    return this.inTree().some(({ id }) => {
      const row = this.inventory(id, resourceClass);
      const hasAll =
        this.group?.suffix === '' || this.demands.every(([name]) => this.inventory(id, name) !== undefined);
      return row !== undefined && hasAll && asked <= row.capacity && fitsUnits(row, asked);
    });
  }

  /** A provider with all classes of the group (unsuffixed: with the given class) has no room for this one. */
  private hasRoomOfAll(id: number, resourceClass: string): boolean {
    const isInTree = this.inTree().some((row) => row.id === id);
    const hasAll = this.group?.suffix === '' || this.demands.every(([name]) => this.inventory(id, name) !== undefined);
    return isInTree && hasAll && this.hasRoom(id, resourceClass, this.group?.resources.get(resourceClass) ?? 0);
  }

  isSumReported(): boolean {
    const { resource_class: resourceClass } = this.rejection.params;
    if (resourceClass === undefined) return this.list('resource_classes').length > 0;
    const asked = this.query.groups.reduce(
      (sum, { resources }) => sum + (resources.get(String(resourceClass)) ?? 0),
      0,
    );
    return asked === this.number('asked') && this.number('left') >= 0;
  }

  private aggregatesOf(id: number): readonly string[] {
    return this.rows.aggregates.filter(({ providerId }) => providerId === id).map(({ aggregate }) => aggregate);
  }
}
