// The conditions of a request, as people name them. A class that several request groups ask is one condition, and so is a
// trait or a set of aggregates: a host has it or lacks it.

import { DISABLED_TRAIT } from '../domain/standard-traits';
import type { RequestCondition } from './request-conditions';
import { conditionsOf } from './request-conditions';
import type { ResourceRequest } from './request-group';

export type RejectionParam = string | number | boolean | null | readonly string[];
/** The values of a failure. */
export type RejectionParams = Readonly<Record<string, RejectionParam>>;

/** Placement knows the kinds up to `together`, and the scheduler all of them. */
export const CONDITION_KINDS = [
  'resource',
  'trait',
  'forbidden_trait',
  'aggregate',
  'forbidden_aggregate',
  'enabled',
  'host',
  /** Request groups that no host satisfies at once: apart, below one provider, or each on one provider. */
  'together',
  'service_up',
  'group_policy',
  'filter',
  /** The claim on a host that passed everything. */
  'claim',
] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

export interface Condition {
  readonly kind: ConditionKind;
  /** The class, the alternatives of a trait, aggregates, hosts, suffixes of groups, or the filter. */
  readonly names: readonly string[];
  /** Of a resource, the sum over the groups; otherwise null. */
  readonly amount: number | null;
  /** Suffixes of the groups that ask it; empty: the root provider or the whole request. */
  readonly groups: readonly string[];
  /** Its parts in the resource request; empty: it is not part of one. */
  readonly parts: readonly RequestCondition[];
  /** Its words, if they are more than its names. */
  readonly what?: string;
}

/** A condition that one host fails. */
export interface Failure {
  readonly condition: Condition;
  readonly code: string;
  readonly params: RejectionParams;
  /** The host can never satisfy it, as opposed to now. */
  readonly isNever: boolean;
  /** The sentence of the filter. */
  readonly message?: string;
}

/** The host does not have the class at all. */
export const isAbsent = ({ code }: Failure): boolean => code === 'no_inventory' || code === 'not_connected';

/** Conditions by kind and names, in the order in which they are first asked. */
export function requestedConditions(request: ResourceRequest): readonly Condition[] {
  const merged = new Map<string, RequestCondition[]>();
  for (const part of conditionsOf(request)) {
    const key = `${kindOf(part)} ${part.names.join()}`;
    const parts = merged.get(key);
    if (parts === undefined) merged.set(key, [part]);
    else parts.push(part);
  }
  return [...merged.values()].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    const kind = kindOf(first);
    const amount = kind === 'resource' ? parts.reduce((sum, part) => sum + (part.amount ?? 0), 0) : null;
    const names = first.kind === 'group_policy' ? ['group_policy'] : first.names;
    return [{ kind, names, amount, groups: parts.flatMap(({ group }) => group ?? []), parts }];
  });
}

/** The request without the condition. */
export const without = (request: ResourceRequest, { parts }: Condition): ResourceRequest =>
  parts.reduce((from, part) => part.without(from), request);

function kindOf({ kind, names }: RequestCondition): ConditionKind {
  return kind === 'root_forbidden' && names[0] === DISABLED_TRAIT ? 'enabled' : KINDS[kind];
}

const KINDS: Readonly<Record<RequestCondition['kind'], ConditionKind>> = {
  root_required: 'trait',
  root_forbidden: 'forbidden_trait',
  class: 'resource',
  required: 'trait',
  forbidden: 'forbidden_trait',
  member_of: 'aggregate',
  forbidden_aggregates: 'forbidden_aggregate',
  in_tree: 'host',
  group_policy: 'together',
  same_subtree: 'together',
};
