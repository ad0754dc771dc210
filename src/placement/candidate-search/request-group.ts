// What is asked: request groups and the parameters of the whole request, and the form of them the search works with.
// Nothing here knows query strings; unknown classes and traits were refused before.

import { compareText } from '../../platform/values/text-order';
import type { ProviderGraph } from './provider-graph';

/** The parameters that share one suffix. */
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
  /** Uuid of any provider of the wanted tree. */
  readonly inTree: string | null;
}

/** `none`: groups may share a provider. `isolate`: each suffixed group gets its own. */
export type GroupPolicy = 'none' | 'isolate';
export type GenerationStrategy = 'depth-first' | 'breadth-first';

/** Everything one request asks of placement. */
export interface ResourceRequest {
  readonly groups: readonly RequestGroup[];
  /** Null: nobody said, which is as `none`. */
  readonly groupPolicy: GroupPolicy | null;
  /** Each a list of suffixes; each an independent constraint. */
  readonly sameSubtree: readonly (readonly string[])[];
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  /** At most so many candidates in the answer; of hosts, where a scheduler asks. Null: unlimited. */
  readonly limit: number | null;
  /** False before microversion 1.29: a candidate uses at most one provider of each tree. */
  readonly nestedAware: boolean;
}

/** A resource request with how its search is bounded. */
export interface CandidateQuery extends ResourceRequest {
  /** Generation stops after so many distinct candidates. */
  readonly maxCandidates: number;
  /** Null: depth-first, started over breadth-first when the maximum is reached. */
  readonly strategy: GenerationStrategy | null;
  /** At most so many candidates of each anchor. */
  readonly perRoot: number | null;
  /** Breadth-first only: candidates of so many anchors, the first that have any; the others are counted. */
  readonly maxAnchors?: number | null;
  /** Draw the answer at random from what was generated, rather than take the first. */
  readonly randomize: boolean;
}

/** The first so many any-of sets of traits are followed by bit while combining; further ones are checked at the end. */
export const MASKED_SETS_MAX = 30;

/** A bit for each of the first `count` sets, as far as they are followed by bit. */
export function maskOfSets(count: number): number {
  return (1 << Math.min(count, MASKED_SETS_MAX)) - 1;
}

/** An amount of one resource class. */
export interface Demand {
  readonly resourceClass: string;
  readonly amount: number;
}

/** A request group as the search wants it: sets for lists, a root for `in_tree`, demands in order of class. */
export interface PreparedGroup {
  readonly suffix: string;
  readonly isUnsuffixed: boolean;
  /** The slot of the first group that asks for exactly the same, if it is another one: they choose among the same. */
  readonly likeSlot: number | null;
  readonly demands: readonly Demand[];
  /** What one provider gives together: each demand of the unsuffixed group by itself, all of any other group. */
  readonly slotDemands: readonly (readonly Demand[])[];
  readonly requiredTraits: readonly (readonly string[])[];
  readonly forbiddenTraits: readonly string[];
  readonly memberOf: readonly ReadonlySet<string>[];
  readonly forbiddenAggregates: ReadonlySet<string>;
  /** Null: any tree. An undefined root: a provider that does not exist, so no tree. */
  readonly inTree: { readonly rootId: number | undefined } | null;
}

export interface PreparedQuery {
  /** By suffix, the unsuffixed group first. */
  readonly groups: readonly PreparedGroup[];
  readonly isIsolating: boolean;
  /** Lists of at least two different suffixes: a shorter one restricts nothing. */
  readonly sameSubtree: readonly ReadonlySet<string>[];
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly nestedAware: boolean;
  /** The sets of traits that the providers of the unsuffixed group must meet together, by bit. */
  readonly collectiveTraitMask: number;
  /** Classes that more than one group asks for: only their sums can outgrow what each group found room for. */
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

/** For each group the slot of the first that is like it; null for those that are the first of their kind. */
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
  const seen = new Set<string>();
  const contended = new Set<string>();
  for (const { demands } of groups) {
    for (const { resourceClass } of demands) {
      if (seen.has(resourceClass)) contended.add(resourceClass);
      seen.add(resourceClass);
    }
  }
  return contended;
}
