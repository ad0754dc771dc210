// The removable conditions of a request: each with its parts, and the request without it.

import type { RequestGroup, ResourceRequest } from './request-group';

type PartKind =
  | 'root_required'
  | 'root_forbidden'
  | 'class'
  | 'required'
  | 'forbidden'
  | 'member_of'
  | 'forbidden_aggregates'
  | 'in_tree'
  | 'group_policy'
  | 'same_subtree';

/** One condition of the request, and the request without it. */
export interface RequestCondition {
  readonly kind: PartKind;
  /** The suffix of its group; null: a condition on the root or on the request as a whole. */
  readonly group: string | null;
  /** The class, the traits, the aggregates, the provider or the suffixes; alternatives, if several satisfy it. */
  readonly names: readonly string[];
  /** Of a class; absent: the condition is of another kind. */
  readonly amount?: number;
  readonly without: (request: ResourceRequest) => ResourceRequest;
}

/** All removable conditions: classes, traits, aggregate sets, trees, root traits, policy and subtrees. */
export function conditionsOf(request: ResourceRequest): readonly RequestCondition[] {
  return [
    ...request.rootRequired.map((trait): RequestCondition => ({
      kind: 'root_required',
      group: null,
      names: [trait],
      without: (from) => ({ ...from, rootRequired: from.rootRequired.filter((name) => name !== trait) }),
    })),
    ...request.rootForbidden.map((trait): RequestCondition => ({
      kind: 'root_forbidden',
      group: null,
      names: [trait],
      without: (from) => ({ ...from, rootForbidden: from.rootForbidden.filter((name) => name !== trait) }),
    })),
    ...request.groups.flatMap(conditionsOfGroup),
    ...(request.groupPolicy === 'isolate'
      ? [
          {
            kind: 'group_policy' as const,
            group: null,
            names: [],
            without: (from: ResourceRequest) => ({ ...from, groupPolicy: 'none' as const }),
          },
        ]
      : []),
    ...request.sameSubtree.map((suffixes): RequestCondition => ({
      kind: 'same_subtree',
      group: null,
      names: suffixes,
      without: (from) => ({ ...from, sameSubtree: from.sameSubtree.filter((other) => other !== suffixes) }),
    })),
  ];
}

function conditionsOfGroup(group: RequestGroup): readonly RequestCondition[] {
  const { suffix } = group;
  const changed = (
    kind: PartKind,
    names: readonly string[],
    change: (group: RequestGroup) => RequestGroup,
  ): RequestCondition => ({
    kind,
    group: suffix,
    names,
    without: (from) => withGroup(from, suffix, change),
  });
  return [
    ...[...group.resources].map(([name, amount]) => ({
      ...changed('class', [name], (from) => ({
        ...from,
        resources: new Map([...from.resources].filter(([other]) => other !== name)),
      })),
      amount,
    })),
    ...group.requiredTraits.map((anyOf) =>
      changed('required', anyOf, (from) => ({
        ...from,
        requiredTraits: from.requiredTraits.filter((other) => other !== anyOf),
      })),
    ),
    ...group.forbiddenTraits.map((trait) =>
      changed('forbidden', [trait], (from) => ({
        ...from,
        forbiddenTraits: from.forbiddenTraits.filter((other) => other !== trait),
      })),
    ),
    ...group.memberOf.map((anyOf) =>
      changed('member_of', anyOf, (from) => ({
        ...from,
        memberOf: from.memberOf.filter((other) => other !== anyOf),
      })),
    ),
    ...(group.forbiddenAggregates.length === 0
      ? []
      : [changed('forbidden_aggregates', group.forbiddenAggregates, (from) => ({ ...from, forbiddenAggregates: [] }))]),
    ...(group.inTree === null
      ? []
      : [
          changed('in_tree', [group.inTree], (from) => ({
            ...from,
            inTree: null,
          })),
        ]),
  ];
}

/** A group without resources is removed, with its place in subtrees. */
function withGroup(
  request: ResourceRequest,
  suffix: string,
  change: (group: RequestGroup) => RequestGroup,
): ResourceRequest {
  const groups = request.groups.flatMap((group) => {
    if (group.suffix !== suffix) return [group];
    const changed = change(group);
    return changed.resources.size === 0 && group.resources.size > 0 ? [] : [changed];
  });
  const left = new Set(groups.map((group) => group.suffix));
  const sameSubtree = request.sameSubtree
    .map((suffixes) =>
      suffixes.every((name) => left.has(name)) ? suffixes : suffixes.filter((name) => left.has(name)),
    )
    .filter((suffixes) => suffixes.length > 0);
  return { ...request, groups, sameSubtree };
}
