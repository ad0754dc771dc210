// How many trees fail each condition of a request, the cause of an empty answer, and changes that give trees a candidate.
// Each change is tried: a search with the changed request, or on the changed tree, counts the trees. A tree without a
// candidate can only gain one from a change to all conditions that it fails, so few trees are searched again.

import type { Task } from '../../platform/values/task';
import { ChangedTrees } from './changed-trees';
import { ConditionChecks } from './failed-conditions';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { findInventory, largestAmount } from './provider-graph';
import type { RequestCondition } from './request-conditions';
import { conditionsOf } from './request-conditions';
import type { ResourceRequest } from './request-group';
import { smallestConflict } from './smallest-conflict';
import { sharingSeen } from './tree-candidates';
import { TreeFit } from './tree-fit';

/** `unmet`: no tree satisfies any of the conditions. `conflict`: none satisfies all, and each of them is needed. */
export const CAUSE_KINDS = ['unmet', 'conflict'] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

export interface ReportedCondition {
  readonly condition: RequestCondition;
  readonly satisfied: number;
  readonly failed: number;
  /** Of a class: the largest amount that one provider can give now; null: no inventory has room, or it is no class. */
  readonly largest: number | null;
}

/** `without` leaves the conditions out, `amount` lowers one amount, `trait` adds a trait to the root provider. */
export const FIX_KINDS = ['without', 'amount', 'trait'] as const;

export interface RequestFix {
  readonly kind: (typeof FIX_KINDS)[number];
  readonly conditions: readonly RequestCondition[];
  /** The lower amount; null for other kinds. */
  readonly amount: number | null;
  /** Roots of all trees that gain a candidate. */
  readonly roots: readonly Provider[];
}

export interface ConditionReport {
  /** Trees that the request admits with `in_tree`. */
  readonly trees: number;
  /** Conditions that a tree fails, in the order of the request. */
  readonly conditions: readonly ReportedCondition[];
  readonly cause: {
    readonly kind: CauseKind;
    readonly conditions: readonly ReportedCondition[];
  } | null;
  /** Those for most trees first. */
  readonly fixes: readonly RequestFix[];
  /** False: some changes were not tried, because too many trees had to be searched. */
  readonly isComplete: boolean;
}

/** Trees searched again by all changes together: some seconds at most, in small steps. */
const TREES_SEARCHED_MAX = 100_000;

/** Trees that fail the same conditions. */
interface AlikeTrees {
  readonly failed: readonly number[];
  readonly trees: Tree[];
}

interface Checked {
  readonly graph: ProviderGraph;
  readonly request: ResourceRequest;
  readonly conditions: readonly RequestCondition[];
  readonly alike: readonly AlikeTrees[];
}

/** `isAdmitted`: the trees that the report is about. */
export function* reportConditions(
  graph: ProviderGraph,
  request: ResourceRequest,
  isAdmitted: (root: Provider) => boolean = () => true,
): Task<ConditionReport> {
  const checks = new ConditionChecks(graph, request);
  const { conditions } = checks;
  const failures = conditions.map(() => 0);
  const largest = conditions.map((): number | null => null);
  const groups = new Map<string, AlikeTrees>();
  let trees = 0;
  for (const rootId of graph.rootIds) {
    yield;
    const tree = graph.findTree(rootId);
    if (tree === undefined || !isAdmitted(tree.root)) continue;
    const failed = checks.failedBy(rootId);
    if (failed.some(({ stage }) => stage === 'in_tree')) continue;
    trees += 1;
    const positions = failed.map(({ at }) => at);
    for (const at of positions) {
      failures[at] = (failures[at] ?? 0) + 1;
      largest[at] = larger(largest[at] ?? null, largestOn(graph, tree, conditions[at]));
    }
    const key = positions.join();
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { failed: positions, trees: [tree] });
    else known.trees.push(tree);
  }
  const reported = conditions.map((condition, at): ReportedCondition => {
    const failed = failures[at] ?? 0;
    return { condition, satisfied: trees - failed, failed, largest: largest[at] ?? null };
  });
  const alike = [...groups.values()];
  const cause = causeOf(reported, alike);
  const found = yield* findFixes({ graph, request, conditions, alike }, { reported, cause });
  return { trees, conditions: reported.filter(({ failed }) => failed > 0), cause, ...found };
}

function causeOf(reported: readonly ReportedCondition[], alike: readonly AlikeTrees[]): ConditionReport['cause'] {
  const unmet = reported.filter(({ satisfied, failed }) => failed > 0 && satisfied === 0);
  if (unmet.length > 0) return { kind: 'unmet', conditions: unmet };
  const conflict = smallestConflict(
    alike.map(({ failed }) => failed),
    reported.map(({ satisfied }) => satisfied),
  );
  return conflict && { kind: 'conflict', conditions: conflict.flatMap((at) => reported[at] ?? []) };
}

function* findFixes(
  checked: Checked,
  { reported, cause }: { readonly reported: readonly ReportedCondition[]; readonly cause: ConditionReport['cause'] },
): Task<Pick<ConditionReport, 'fixes' | 'isComplete'>> {
  const trial = new Trial(checked, yield* withoutCandidate(checked));
  const fixes: RequestFix[] = [];
  for (const { condition } of reported) {
    fixes.push(yield* trial.without([condition]));
    if (condition.kind === 'class') fixes.push(yield* trial.withLess(condition));
    if (isRequired(condition.kind) && condition.names.length === 1) fixes.push(yield* trial.withTrait(condition));
  }
  const together = cause === null || cause.conditions.length === 1 ? [] : cause.conditions;
  if (together.length > 0) fixes.push(yield* trial.without(together.map(({ condition }) => condition)));
  const found = fixes.filter(({ roots }) => roots.length > 0);
  return {
    fixes: found.sort((one, other) => other.roots.length - one.roots.length),
    isComplete: trial.isComplete,
  };
}

/** Trees without a candidate, by the conditions that they fail. */
function* withoutCandidate({ graph, request, alike }: Checked): Task<readonly AlikeTrees[]> {
  const rest: AlikeTrees[] = [];
  for (const { failed, trees } of alike) {
    if (failed.length > 0) {
      rest.push({ failed, trees });
      continue;
    }
    const roots = new Set(yield* rootsThatFit(graph, request, trees));
    rest.push({ failed, trees: trees.filter(({ root }) => !roots.has(root)) });
  }
  return rest;
}

/** Tries changes on the trees that can gain a candidate by them, within a limit of trees searched. */
class Trial {
  isComplete = true;
  private left = TREES_SEARCHED_MAX;

  constructor(
    private readonly checked: Checked,
    private readonly alike: readonly AlikeTrees[],
  ) {}

  *without(conditions: readonly RequestCondition[]): Task<RequestFix> {
    const { graph, request } = this.checked;
    const relaxed = conditions.reduce((from, condition) => condition.without(from), request);
    const changed = this.changedBy(conditions, relaxed);
    // Without `in_tree` other trees could gain a candidate, which were not checked.
    const isWider = [...changed].some(({ kind }) => kind === 'in_tree');
    const trees = relaxed.groups.length === 0 || isWider ? [] : this.gaining(changed);
    return { kind: 'without', conditions, amount: null, roots: yield* rootsThatFit(graph, relaxed, trees) };
  }

  /** With the largest amount that one of the trees can give. */
  *withLess(condition: RequestCondition): Task<RequestFix> {
    const { graph, request } = this.checked;
    const { group: suffix, amount: requested = 0 } = condition;
    const [name = ''] = condition.names;
    const trees = this.gaining(new Set([condition]));
    let amount: number | null = null;
    for (const tree of trees) {
      yield;
      const here = largestOn(graph, tree, condition);
      if (here !== null && here < requested) amount = larger(amount, here);
    }
    if (amount === null) return { kind: 'amount', conditions: [condition], amount, roots: [] };
    const resources = [name, amount] as const;
    const groups = request.groups.map((group) =>
      group.suffix === suffix ? { ...group, resources: new Map([...group.resources, resources]) } : group,
    );
    const roots = yield* rootsThatFit(graph, { ...request, groups }, trees);
    return { kind: 'amount', conditions: [condition], amount, roots };
  }

  /** Each tree by itself with the trait on its root. */
  *withTrait(condition: RequestCondition): Task<RequestFix> {
    const { graph, request } = this.checked;
    const changed = new ChangedTrees(graph, request);
    const [trait = ''] = condition.names;
    // The trait can satisfy conditions of several groups.
    const eased = this.checked.conditions.filter(({ kind, names }) => isRequired(kind) && names.includes(trait));
    const roots: Provider[] = [];
    for (const { root } of this.gaining(new Set(eased))) {
      yield;
      if (changed.fits(root.id, { kind: 'add_root_traits', traits: condition.names })) roots.push(root);
    }
    return { kind: 'trait', conditions: [condition], amount: null, roots };
  }

  /** Conditions that the request no longer has, or that are easier for a group with fewer classes. */
  private changedBy(conditions: readonly RequestCondition[], relaxed: ResourceRequest): ReadonlySet<RequestCondition> {
    const left = new Set(conditionsOf(relaxed).map(({ text }) => text));
    const smaller = new Set(conditions.flatMap(({ kind, group }) => (kind === 'class' ? [group] : [])));
    const isEasier = ({ kind, group }: RequestCondition): boolean => OF_CLASSES.has(kind) && smaller.has(group);
    return new Set(this.checked.conditions.filter((each) => !left.has(each.text) || isEasier(each)));
  }

  /** Trees that fail none but these conditions, in the order of their roots; none beyond the limit. */
  private gaining(changed: ReadonlySet<RequestCondition>): readonly Tree[] {
    const { conditions } = this.checked;
    const isChanged = (at: number): boolean => {
      const condition = conditions[at];
      return condition !== undefined && changed.has(condition);
    };
    const trees = this.alike.flatMap((each) => (each.failed.every(isChanged) ? each.trees : []));
    if (trees.length > this.left) {
      this.isComplete = false;
      return [];
    }
    this.left -= trees.length;
    return trees.sort((one, other) => one.root.id - other.root.id);
  }
}

const isRequired = (kind: RequestCondition['kind']): boolean => kind === 'required' || kind === 'root_required';

/** Kinds of conditions that are checked on the providers of the group's classes. */
const OF_CLASSES: ReadonlySet<RequestCondition['kind']> = new Set(['forbidden', 'member_of', 'forbidden_aggregates']);

function* rootsThatFit(graph: ProviderGraph, request: ResourceRequest, trees: readonly Tree[]): Task<Provider[]> {
  const fit = new TreeFit(graph, request);
  const roots: Provider[] = [];
  for (const tree of trees) {
    yield;
    if (fit.fits(tree)) roots.push(tree.root);
  }
  return roots;
}

/** The largest amount of a class that one provider of the tree, or a connected one, can give now. */
function largestOn(graph: ProviderGraph, tree: Tree, condition: RequestCondition | undefined): number | null {
  if (condition?.kind !== 'class') return null;
  const [name = ''] = condition.names;
  let most: number | null = null;
  for (const provider of [...tree.providers, ...sharingSeen(graph, tree)]) {
    const inventory = findInventory(provider, name);
    const amount = inventory === undefined ? 0 : largestAmount(inventory);
    if (amount > 0) most = larger(most, amount);
  }
  return most;
}

const larger = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other);
