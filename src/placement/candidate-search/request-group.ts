// The request: its groups, the parameters of the whole request, and the prepared form for the search. Independent of
// query strings; unknown classes and traits are refused earlier.

import { compareText } from '../../platform/values/text-order';
import type { ProviderGraph } from './provider-graph';

/** The parameters with one suffix. */
export interface RequestGroup {
  /** '' is the unsuffixed group. */
  readonly suffix: string;
  /** Resource class to amount; empty for a resourceless group. */
  readonly resources: ReadonlyMap<string, number>;
  /** AND of any-of sets. */
  readonly requiredTraits: readonly (readonly string[])[];
  readonly forbiddenTraits: readonly string[];
  /** AND of any-of sets of aggregate uuids. */
  readonly memberOf: readonly (readonly string[])[];
  readonly forbiddenAggregates: readonly string[];
  /** The uuid of any provider of the wanted tree. */
  readonly inTree: string | null;
}

/** `none`: groups can share a provider. `isolate`: each suffixed group gets its own. */
export type GroupPolicy = 'none' | 'isolate';
export type GenerationStrategy = 'depth-first' | 'breadth-first';

/** All constraints of one request. */
export interface ResourceRequest {
  readonly groups: readonly RequestGroup[];
  /** Null: not given, same as `none`. */
  readonly groupPolicy: GroupPolicy | null;
  /** A list of suffixes per constraint; the constraints are independent. */
  readonly sameSubtree: readonly (readonly string[])[];
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  /** Maximum of candidates in the answer; for the scheduler, maximum of hosts. Null: unlimited. */
  readonly limit: number | null;
  /** False before microversion 1.29: a candidate uses at most one provider of each tree. */
  readonly nestedAware: boolean;
}

/** A resource request with the bounds of its search. */
export interface CandidateQuery extends ResourceRequest {
  /** Generation stops after this number of distinct candidates. */
  readonly maxCandidates: number;
  /** Null: depth-first, restarted breadth-first when the maximum is reached. */
  readonly strategy: GenerationStrategy | null;
  /** Maximum of candidates per anchor. */
  readonly perRoot: number | null;
  /** Search under the roots with these uuids only; sharing providers of other trees still serve them. */
  readonly onlyRoots?: readonly string[] | null;
  /** Breadth-first only: search the first `maxAnchors` anchors that have candidates. */
  readonly maxAnchors?: number | null;
  /** Draw the answer at random from the generated candidates instead of taking the first. */
  readonly randomize: boolean;
}

/** The number of any-of sets of traits with a bit in the mask; further sets are checked at the end of combining. */
export const MASKED_SETS_MAX = 30;

/** A mask with a bit for each of the first `count` sets, up to the maximum. */
export function maskOfSets(count: number): number {
  return (1 << Math.min(count, MASKED_SETS_MAX)) - 1;
}

/** An amount of one resource class. */
export interface Demand {
  readonly resourceClass: string;
  readonly amount: number;
}

/**
 * A request group in the form for the search: sets instead of lists, a root for `in_tree`, demands in order of class.
 */
export interface PreparedGroup {
  readonly suffix: string;
  readonly isUnsuffixed: boolean;
  /**
   * The slot of an earlier group with exactly the same demands; both share one list of choices. Null: there is none.
   */
  readonly likeSlot: number | null;
  readonly demands: readonly Demand[];
  /**
   * The demands that one provider gives together: each demand of the unsuffixed group separately, all of any other
   * group.
   */
  readonly slotDemands: readonly (readonly Demand[])[];
  readonly requiredTraits: readonly (readonly string[])[];
  readonly forbiddenTraits: readonly string[];
  readonly memberOf: readonly ReadonlySet<string>[];
  readonly forbiddenAggregates: ReadonlySet<string>;
  /** Null: any tree. `rootId` undefined: the provider does not exist, so no tree matches. */
  readonly inTree: { readonly rootId: number | undefined } | null;
}

export interface PreparedQuery {
  /** In order of suffix, the unsuffixed group first. */
  readonly groups: readonly PreparedGroup[];
  readonly isIsolating: boolean;
  /** Lists with at least two different suffixes; shorter lists restrict nothing. */
  readonly sameSubtree: readonly ReadonlySet<string>[];
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly nestedAware: boolean;
  /** The sets of traits that the providers of the unsuffixed group must meet together, as bits. */
  readonly collectiveTraitMask: number;
  /** Classes that more than one group requests: only for these can a sum exceed the capacity. */
  readonly contendedClasses: ReadonlySet<string>;
}

export function prepareQuery(graph: ProviderGraph, query: CandidateQuery): PreparedQuery {
  const sorted = [...query.groups].sort((first, second) => compareText(first.suffix, second.suffix));
  const likeSlots = likeSlotsOf(sorted);
  const groups = sorted.map((group, at) => prepareGroup(graph, group, likeSlots[at] ?? null));
  return {
    groups,
    isIsolating: query.groupPolicy === 'isolate',
    sameSubtree: query.sameSubtree.map((suffixes) => new Set(suffixes)).filter((suffixes) => suffixes.size > 1),
    rootRequired: query.rootRequired,
    rootForbidden: query.rootForbidden,
    nestedAware: query.nestedAware,
    collectiveTraitMask: maskOfSets(groups.find((group) => group.isUnsuffixed)?.requiredTraits.length ?? 0),
    contendedClasses: contendedClassesOf(groups),
  };
}

/** For each group the slot of the first equal group; null for the first of its kind. */
function likeSlotsOf(groups: readonly RequestGroup[]): readonly (number | null)[] {
  if (groups.length < 2) return [];
  const first = new Map<string, number>();
  let slot = 0;
  return groups.map(({ suffix, resources, ...rest }) => {
    const at = slot;
    slot += suffix === '' ? resources.size : 1;
    if (suffix === '') return null;
    const key = JSON.stringify([[...resources].sort(([one], [other]) => compareText(one, other)), rest]);
    const like = first.get(key) ?? null;
    if (like === null) first.set(key, at);
    return like;
  });
}

function prepareGroup(graph: ProviderGraph, group: RequestGroup, likeSlot: number | null): PreparedGroup {
  const demands = [...group.resources]
    .map(([resourceClass, amount]) => ({ resourceClass, amount }))
    .sort((first, second) => compareText(first.resourceClass, second.resourceClass));
  const isUnsuffixed = group.suffix === '';
  return {
    suffix: group.suffix,
    isUnsuffixed,
    likeSlot,
    demands,
    slotDemands: isUnsuffixed ? demands.map((demand) => [demand]) : [demands],
    requiredTraits: group.requiredTraits,
    forbiddenTraits: group.forbiddenTraits,
    memberOf: group.memberOf.map((aggregates) => new Set(aggregates)),
    forbiddenAggregates: new Set(group.forbiddenAggregates),
    inTree: group.inTree === null ? null : { rootId: graph.findProviderByUuid(group.inTree)?.rootId },
  };
}

function contendedClassesOf(groups: readonly PreparedGroup[]): ReadonlySet<string> {
  const demandKeys = new Set<string>();
  const contended = new Set<string>();
  for (const { demands } of groups) {
    for (const { resourceClass } of demands) {
      if (demandKeys.has(resourceClass)) contended.add(resourceClass);
      demandKeys.add(resourceClass);
    }
  }
  return contended;
}
