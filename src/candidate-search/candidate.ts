// One answer: what is taken from which providers, and which groups they serve.

import { assert } from '../domain/assert';
import type { Choice, Slot } from './match-group';
import { findInTree } from './provider-graph';
import type { Provider, ProviderGraph } from './provider-graph';
import type { Demand } from './request-group';

/** What one provider gives in a candidate, summed over all groups. */
export interface CandidateAllocation {
  readonly provider: Provider;
  readonly resources: ReadonlyMap<string, number>;
}

export interface Candidate {
  /** The root under which it was built; the first of several that see all its providers. */
  readonly anchorId: number;
  /** Ascending by provider id. */
  readonly allocations: readonly CandidateAllocation[];
  /** Every suffix, ascending, to the uuids of its providers in order of their ids; resourceless groups included. */
  readonly mappings: ReadonlyMap<string, readonly string[]>;
}

/**
 * Candidates in a defined order: by anchor id (breadth-first: round by round), under one anchor by the ids of the
 * providers chosen for its slots, the slot with the fewest choices first.
 */
export interface Candidates {
  readonly list: readonly Candidate[];
  /** There is more than was generated: the maximum was reached, or a hopeless combination was given up. */
  readonly truncated: boolean;
  /**
   * With `maxAnchors`: how many further anchors have candidates; null when that was not counted, because it would have
   * cost as much as answering them.
   */
  readonly anchorsBeyond?: number | null;
  /** The trees to summarise, as they were when the search ran. */
  readonly graph: ProviderGraph;
}

/** A candidate that was found but not written out yet: most of those generated never are. */
export interface Combination {
  readonly anchorId: number;
  /** By suffix and class. */
  readonly slots: readonly Slot[];
  /** Where in `chosen` the choice of each slot is. */
  readonly places: readonly number[];
  readonly chosen: readonly Choice[];
}

export function toCandidate({ anchorId, slots, places, chosen }: Combination): Candidate {
  const allocations: GrowingAllocation[] = [];
  const mappings = new Map<string, readonly string[]>();
  let served: Provider[] = [];
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at];
    const provider = chosen[places[at] ?? at]?.provider;
    assert(slot !== undefined && provider !== undefined, 'a combination has a choice for every slot');
    if (slot.demands.length > 0) addDemands(allocations, provider, slot.demands);
    if (!served.includes(provider)) served.push(provider);
    if (slots[at + 1]?.group === slot.group) continue;
    mappings.set(slot.group.suffix, uuidsOf(served));
    served = [];
  }
  if (allocations.length > 1) allocations.sort((first, second) => first.provider.id - second.provider.id);
  return { anchorId, allocations, mappings };
}

/**
 * The providers to summarise. From 1.29 on: every provider of every tree that gives resources to one of the
 * candidates. Before: only the providers that occur in one. Ascending by root, then by id.
 */
export function providersToSummarise(candidates: Candidates, nestedAware: boolean): readonly Provider[] {
  const chosen = new Map<number, Set<number> | number>();
  for (const candidate of candidates.list) {
    for (const { provider } of candidate.allocations) {
      const ids = chosen.get(provider.rootId);
      // Most roots are seen once; a set for each would cost more than the answer.
      if (ids === undefined) chosen.set(provider.rootId, provider.id);
      else if (typeof ids !== 'number') ids.add(provider.id);
      else if (ids !== provider.id) chosen.set(provider.rootId, new Set([ids, provider.id]));
    }
  }
  const rootIds = [...chosen.keys()].sort((first, second) => first - second);
  return rootIds.flatMap((rootId): readonly Provider[] | Provider => {
    const tree = candidates.graph.findTree(rootId);
    if (tree === undefined) return [];
    if (tree.providers.length === 1) return tree.root;
    if (nestedAware) return tree.providers;
    const known = chosen.get(rootId) ?? [];
    const ids = (typeof known === 'number' ? [known] : [...known]).sort((first, second) => first - second);
    return ids.flatMap((id) => findInTree(tree, id) ?? []);
  });
}

interface GrowingAllocation {
  readonly provider: Provider;
  resources: ReadonlyMap<string, number>;
}

function addDemands(allocations: GrowingAllocation[], provider: Provider, demands: readonly Demand[]): void {
  const allocation = allocations.find((candidate) => candidate.provider === provider);
  if (allocation === undefined) allocations.push({ provider, resources: plus(NOTHING, demands) });
  else allocation.resources = plus(allocation.resources, demands);
}

const NOTHING: ReadonlyMap<string, number> = new Map();

/** What was added to which amounts. Candidates of one search ask for the same few sums, so each of them is one object. */
const SUMS = new WeakMap<ReadonlyMap<string, number>, WeakMap<readonly Demand[], ReadonlyMap<string, number>>>();

function plus(resources: ReadonlyMap<string, number>, demands: readonly Demand[]): ReadonlyMap<string, number> {
  let known = SUMS.get(resources);
  if (known === undefined) SUMS.set(resources, (known = new WeakMap()));
  let sum = known.get(demands);
  if (sum === undefined) known.set(demands, (sum = added(resources, demands)));
  return sum;
}

function added(resources: ReadonlyMap<string, number>, demands: readonly Demand[]): ReadonlyMap<string, number> {
  const sum = new Map(resources);
  for (const { resourceClass, amount } of demands) sum.set(resourceClass, (sum.get(resourceClass) ?? 0) + amount);
  return sum;
}

function uuidsOf(providers: Provider[]): readonly string[] {
  if (providers.length > 1) providers.sort((first, second) => first.id - second.id);
  return providers.map((provider) => provider.uuid);
}
