// Changes of a request that give hosts a candidate. Each is tried on the hosts that can gain one by it: those that fail only
// conditions that the change removes or eases.

import type { Task } from '../../platform/values/task';
import type { Condition } from './conditions';
import { without } from './conditions';
import type { JudgedHost } from './judged-hosts';
import type { ProviderGraph, Tree } from './provider-graph';
import { findInventory, largestAmount } from './provider-graph';
import { withRootTrait } from './repaired-trees';
import type { RequestCondition } from './request-conditions';
import { conditionsOf } from './request-conditions';
import type { ResourceRequest } from './request-group';
import { Anchor } from './sharing';
import { TreeFit } from './tree-fit';

/** `without` leaves the conditions out, `amount` lowers one amount, `trait` adds a trait to the root provider. */
export const FIX_KINDS = ['without', 'amount', 'trait'] as const;

export interface RequestFix {
  readonly kind: (typeof FIX_KINDS)[number];
  readonly conditions: readonly Condition[];
  /** The lower amount; null for other kinds. */
  readonly amount: number | null;
  /** Roots of all trees that gain a candidate. */
  readonly roots: readonly JudgedHost['root'][];
}

/** Trees searched by all changes together: some seconds at most, in small steps. Further changes are not tried. */
const TREES_SEARCHED_MAX = 100_000;

interface Refused {
  /** Hosts without a candidate. */
  readonly hosts: readonly JudgedHost[];
  readonly cause: readonly Condition[];
}

/** Those for most hosts first. */
export function* findFixes(graph: ProviderGraph, request: ResourceRequest, refused: Refused): Task<RequestFix[]> {
  const { hosts, cause } = refused;
  const conditions = [...new Set(hosts.flatMap(({ failures }) => failures.map(({ condition }) => condition)))].filter(
    ({ parts }) => parts.length > 0,
  );
  let left = TREES_SEARCHED_MAX;
  const gaining = (changed: readonly Condition[], relaxed = changed.reduce(without, request)): readonly Tree[] => {
    const eased = easedBy(changed, relaxed, conditions);
    const found = hosts.filter(({ failures }) =>
      failures.every(({ condition }) => condition.kind === 'together' || eased.has(condition)),
    );
    if (found.length > left) return [];
    left -= found.length;
    return found.flatMap(({ root }) => graph.findTree(root.id) ?? []);
  };
  function* rootsThatFit(asked: ResourceRequest, trees: readonly Tree[], changed = (tree: Tree) => tree) {
    const fit = new TreeFit(graph, asked);
    const roots: JudgedHost['root'][] = [];
    if (asked.groups.length === 0) return roots;
    for (const tree of trees) {
      yield;
      if (fit.wouldFit(changed(tree))) roots.push(tree.root);
    }
    return roots;
  }
  const fixes: RequestFix[] = [];
  const sets = [...conditions.map((condition) => [condition]), ...(cause.length > 1 ? [cause] : [])];
  for (const set of sets) {
    const relaxed = set.reduce(without, request);
    fixes.push({
      kind: 'without',
      conditions: set,
      amount: null,
      roots: yield* rootsThatFit(relaxed, gaining(set, relaxed)),
    });
  }
  for (const condition of conditions) {
    const one = { conditions: [condition], amount: null };
    const [name = '', ...alternatives] = condition.names;
    const [part, ...parts] = condition.parts;
    if (condition.kind === 'trait' && alternatives.length === 0) {
      const roots = yield* rootsThatFit(request, gaining([condition]), (tree) => withRootTrait(tree, name));
      fixes.push({ kind: 'trait', ...one, roots });
    }
    if (condition.kind !== 'resource' || part === undefined || parts.length > 0) continue;
    const trees = gaining([condition]);
    const amount = largestOn(graph, trees, name);
    if (amount === 0 || amount >= (condition.amount ?? 0)) continue;
    const groups = request.groups.map((group) =>
      group.suffix === part.group ? { ...group, resources: new Map([...group.resources, [name, amount]]) } : group,
    );
    const roots = yield* rootsThatFit({ ...request, groups }, trees);
    fixes.push({ kind: 'amount', ...one, amount, roots });
  }
  return fixes.filter(({ roots }) => roots.length > 0).sort((one, other) => other.roots.length - one.roots.length);
}

/** Conditions that the relaxed request no longer has as they were, or that are easier for a group with fewer classes. */
function easedBy(
  changed: readonly Condition[],
  relaxed: ResourceRequest,
  conditions: readonly Condition[],
): ReadonlySet<Condition> {
  const left = new Set(conditionsOf(relaxed).map(keyOf));
  const smaller = new Set(changed.flatMap(({ kind, groups }) => (kind === 'resource' ? groups : [])));
  const isEased = ({ kind, groups, parts }: Condition): boolean =>
    parts.some((part) => !left.has(keyOf(part))) ||
    ((kind === 'forbidden_trait' || kind === 'aggregate' || kind === 'forbidden_aggregate') &&
      groups.some((group) => smaller.has(group)));
  return new Set([...changed, ...conditions.filter(isEased)]);
}

const keyOf = ({ kind, group, names, amount = 0 }: RequestCondition): string =>
  `${kind} ${group ?? '-'} ${amount} ${names.join()}`;

/** The largest amount of the class that one provider of one of the trees, or a sharing one, can give now. */
function largestOn(graph: ProviderGraph, trees: readonly Tree[], resourceClass: string): number {
  let most = 0;
  for (const tree of trees) {
    for (const provider of [...tree.providers, ...new Anchor(graph, tree).sharing]) {
      const inventory = findInventory(provider, resourceClass);
      if (inventory !== undefined) most = Math.max(most, largestAmount(inventory));
    }
  }
  return most;
}
