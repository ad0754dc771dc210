// Which conditions of a request a tree fails, each condition checked by itself. A trace has the first failed condition of
// a tree; a person who wants to change the request needs all of them. Law: a tree with a candidate fails none. The
// converse does not hold: a tree can satisfy each condition and not all of them together.

import type { Reason } from './explain-anchor';
import { explainClass, explainRoom, hasInventory, hasRoomOn, isInWantedTree } from './explain-anchor';
import { hasAnyTrait } from './match-group';
import type { Provider, ProviderGraph } from './provider-graph';
import type { RequestCondition } from './request-conditions';
import { conditionsOf } from './request-conditions';
import type { PreparedGroup, ResourceRequest } from './request-group';
import { prepareQuery } from './request-group';
import { Anchor } from './sharing';
import { Work } from './work';

/** A failed condition, by its position in `conditions`, with the figures of this tree. */
export interface FailedCondition extends Reason {
  readonly at: number;
  readonly group: string | null;
}

const NONE: readonly FailedCondition[] = [];

export class ConditionChecks {
  readonly conditions: readonly RequestCondition[];
  private readonly groups: ReadonlyMap<string, PreparedGroup>;
  private readonly work = Work.withoutPauses();

  constructor(
    private readonly graph: ProviderGraph,
    request: ResourceRequest,
  ) {
    this.conditions = conditionsOf(request);
    const bounds = { maxCandidates: 1, strategy: null, perRoot: null, randomize: false } as const;
    const { groups } = prepareQuery(graph, { ...request, ...bounds });
    this.groups = new Map(groups.map((group) => [group.suffix, group]));
  }

  /** In the order of the conditions. A tree that the request excludes by `in_tree` fails that condition only. */
  failedBy(rootId: number): readonly FailedCondition[] {
    const tree = this.graph.findTree(rootId);
    if (tree === undefined) return NONE;
    const anchor = new Anchor(this.graph, tree);
    const failed: FailedCondition[] = [];
    for (const [at, condition] of this.conditions.entries()) {
      const reason = this.reasonOf(anchor, condition);
      if (reason === null) continue;
      const found = { at, group: condition.group, ...reason };
      if (condition.kind === 'in_tree') return [found];
      failed.push(found);
    }
    return failed;
  }

  private reasonOf(anchor: Anchor, { kind, group: suffix, names }: RequestCondition): Reason | null {
    const [name = ''] = names;
    const { root } = anchor;
    switch (kind) {
      case 'root_required':
        return root.traits.has(name) ? null : failure('root', 'missing_trait', { trait: name });
      case 'root_forbidden':
        return root.traits.has(name) ? failure('root', 'forbidden_trait', { trait: name }) : null;
      case 'group_policy':
      case 'same_subtree':
        return null;
      default: {
        const group = suffix === null ? undefined : this.groups.get(suffix);
        return group === undefined ? null : this.reasonOfGroup(anchor, group, { kind, names });
      }
    }
  }

  private reasonOfGroup(
    anchor: Anchor,
    group: PreparedGroup,
    { kind, names }: Pick<RequestCondition, 'kind' | 'names'>,
  ): Reason | null {
    const visible = visibleTo(anchor, group);
    if (kind === 'in_tree') return visible.length > 0 ? null : failure('in_tree', 'other_tree', {});
    const [name = ''] = names;
    const { root } = anchor;
    switch (kind) {
      case 'class':
        return this.reasonOfClass(anchor, group, { visible, name });
      case 'required':
        return visible.some((provider) => hasAnyTrait(provider, names))
          ? null
          : failure('traits', 'missing_trait', { missing: [shown(names)], required: [shown(names)] });
      case 'forbidden':
        return isServed(anchor, group, visible, ({ traits }) => !traits.has(name))
          ? null
          : failure('traits', 'forbidden_trait', { forbidden: [name], present: [name], providers: visible.length });
      case 'member_of': {
        const isIn = ({ aggregates }: Provider): boolean => aggregates.some((aggregate) => names.includes(aggregate));
        const covers = group.isUnsuffixed && isIn(root);
        return isServed(anchor, group, visible, (provider) => isIn(provider) || (covers && anchor.owns(provider)))
          ? null
          : failure('aggregates', 'not_a_member', { member_of: [shown(names)], providers: visible.length });
      }
      case 'forbidden_aggregates': {
        const isIn = ({ aggregates }: Provider): boolean => aggregates.some((aggregate) => names.includes(aggregate));
        const params = { aggregates: [...names] };
        if (group.isUnsuffixed && isIn(root)) return failure('aggregates', 'root_in_forbidden_aggregate', params);
        return isServed(anchor, group, visible, (provider) => !isIn(provider))
          ? null
          : failure('aggregates', 'in_forbidden_aggregate', params);
      }
      default:
        return null;
    }
  }

  private reasonOfClass(
    anchor: Anchor,
    group: PreparedGroup,
    { visible, name }: { readonly visible: readonly Provider[]; readonly name: string },
  ): Reason | null {
    const demands = group.demands.filter(({ resourceClass }) => resourceClass === name);
    const [demand] = demands;
    if (demand === undefined) return null;
    const having = visible.filter((provider) => hasInventory(provider, demand));
    if (having.length === 0) return explainClass(this.graph, group, { providers: visible, demands }, this.work);
    if (having.some((provider) => hasRoomOn(provider, demand))) return null;
    return explainRoom(anchor, having, demands);
  }
}

/** The providers of the group under this anchor; none if the request names another tree. */
function visibleTo(anchor: Anchor, group: PreparedGroup): readonly Provider[] {
  const { tree, sharing } = anchor;
  const all = sharing.length === 0 ? tree.providers : [...tree.providers, ...sharing];
  return group.inTree === null ? all : all.filter((provider) => isInWantedTree(anchor, group, provider));
}

/**
 * For each class that the tree has at all, a provider of it `passes`. A tree without any of the classes is judged by its
 * root, because the condition is about hosts.
 */
function isServed(
  { root }: Anchor,
  { demands }: PreparedGroup,
  visible: readonly Provider[],
  passes: (provider: Provider) => boolean,
): boolean {
  let isAny = false;
  for (const demand of demands) {
    let [isPresent, isPassed] = [false, false];
    for (const provider of visible) {
      if (!hasInventory(provider, demand)) continue;
      isPresent = true;
      if (!passes(provider)) continue;
      isPassed = true;
      break;
    }
    if (isPresent && !isPassed) return false;
    isAny ||= isPresent;
  }
  return isAny || passes(root);
}

const shown = (names: readonly string[]): string => (names.length === 1 ? (names[0] ?? '') : `in:${names.join()}`);

const failure = (stage: Reason['stage'], code: string, params: Reason['params']): Reason => ({ stage, code, params });
