// Why Placement has no candidate: the smallest sets of conditions whose removal yields one. Found by repeated searches
// without one condition, then without two, within limits on searches and time.

import type { RequestGroup, ResourceRequest } from '../../placement/candidate-search';
import { CONFLICT_SEARCHES, CONFLICT_TIME_MS } from './limits';

export interface MinimalConflicts {
  /** Each set in the syntax of the query string, smallest sets first. */
  readonly sets: readonly (readonly string[])[];
  /** True if every set of one and two conditions was tried. */
  readonly isComplete: boolean;
  readonly searches: number;
}

/** One condition of the request, and the request without it. */
interface RequestCondition {
  readonly text: string;
  readonly without: (request: ResourceRequest) => ResourceRequest;
}

/**
 * Sets of one condition; if there are none, sets of two. No set contains a smaller one that was found. `hasAny` returns
 * whether Placement has a candidate.
 */
export async function findMinimalConflicts(
  request: ResourceRequest,
  hasAny: (relaxed: ResourceRequest) => Promise<boolean>,
  clock: () => number,
): Promise<MinimalConflicts> {
  const conditions = conditionsOf(request);
  const endsAt = clock() + CONFLICT_TIME_MS;
  let searches = 0;
  const mayAsk = (): boolean => searches < CONFLICT_SEARCHES && clock() < endsAt;
  const helps = (relaxed: ResourceRequest): Promise<boolean> => {
    searches += 1;
    return asksForNothing(relaxed) ? Promise.resolve(false) : hasAny(relaxed);
  };
  const sets: string[][] = [];
  for (const condition of conditions) {
    if (!mayAsk()) return { sets, isComplete: false, searches };
    if (await helps(condition.without(request))) sets.push([condition.text]);
  }
  if (sets.length > 0) return { sets, isComplete: true, searches };
  for (const [at, first] of conditions.entries()) {
    for (const second of conditions.slice(at + 1)) {
      if (!mayAsk()) return { sets, isComplete: false, searches };
      if (await helps(second.without(first.without(request)))) sets.push([first.text, second.text]);
    }
  }
  return { sets, isComplete: true, searches };
}

const asksForNothing = ({ groups }: ResourceRequest): boolean => groups.length === 0;

/** All removable conditions: classes, traits, aggregate sets, trees, root traits, policy and subtrees. */
export function conditionsOf(request: ResourceRequest): readonly RequestCondition[] {
  return [
    ...request.rootRequired.map((trait): RequestCondition => ({
      text: `root_required=${trait}`,
      without: (from) => ({ ...from, rootRequired: from.rootRequired.filter((name) => name !== trait) }),
    })),
    ...request.rootForbidden.map((trait): RequestCondition => ({
      text: `root_required=!${trait}`,
      without: (from) => ({ ...from, rootForbidden: from.rootForbidden.filter((name) => name !== trait) }),
    })),
    ...request.groups.flatMap(conditionsOfGroup),
    ...(request.groupPolicy === 'isolate'
      ? [
          {
            text: 'group_policy=isolate',
            without: (from: ResourceRequest) => ({ ...from, groupPolicy: 'none' as const }),
          },
        ]
      : []),
    ...request.sameSubtree.map((suffixes): RequestCondition => ({
      text: `same_subtree=${suffixes.join(',')}`,
      without: (from) => ({ ...from, sameSubtree: from.sameSubtree.filter((other) => other !== suffixes) }),
    })),
  ];
}

function conditionsOfGroup(group: RequestGroup): readonly RequestCondition[] {
  const { suffix } = group;
  const changed = (text: string, change: (group: RequestGroup) => RequestGroup): RequestCondition => ({
    text,
    without: (from) => withGroup(from, suffix, change),
  });
  return [
    ...[...group.resources].map(([name, amount]) =>
      changed(`resources${suffix}=${name}:${amount}`, (from) => ({
        ...from,
        resources: new Map([...from.resources].filter(([other]) => other !== name)),
      })),
    ),
    ...group.requiredTraits.map((anyOf) =>
      changed(`required${suffix}=${anyOf.length === 1 ? '' : 'in:'}${anyOf.join(',')}`, (from) => ({
        ...from,
        requiredTraits: from.requiredTraits.filter((other) => other !== anyOf),
      })),
    ),
    ...group.forbiddenTraits.map((trait) =>
      changed(`required${suffix}=!${trait}`, (from) => ({
        ...from,
        forbiddenTraits: from.forbiddenTraits.filter((other) => other !== trait),
      })),
    ),
    ...group.memberOf.map((anyOf) =>
      changed(`member_of${suffix}=in:${anyOf.join(',')}`, (from) => ({
        ...from,
        memberOf: from.memberOf.filter((other) => other !== anyOf),
      })),
    ),
    ...(group.forbiddenAggregates.length === 0
      ? []
      : [
          changed(`member_of${suffix}=!in:${group.forbiddenAggregates.join(',')}`, (from) => ({
            ...from,
            forbiddenAggregates: [],
          })),
        ]),
    ...(group.inTree === null
      ? []
      : [changed(`in_tree${suffix}=${group.inTree}`, (from) => ({ ...from, inTree: null }))]),
  ];
}

/** A group without resources is removed, with its place in subtrees. */
function withGroup(
  request: ResourceRequest,
  suffix: string,
  change: (group: RequestGroup) => RequestGroup,
): ResourceRequest {
  const groups = request.groups
    .map((group) => (group.suffix === suffix ? change(group) : group))
    .filter(({ resources }) => resources.size > 0);
  const left = new Set(groups.map((group) => group.suffix));
  const sameSubtree = request.sameSubtree
    .map((suffixes) =>
      suffixes.every((name) => left.has(name)) ? suffixes : suffixes.filter((name) => left.has(name)),
    )
    .filter((suffixes) => suffixes.length > 0);
  return { ...request, groups, sameSubtree };
}
