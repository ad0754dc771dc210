// The entry: the stages of a search in their order. Total and deterministic: the same graph, query and randomness give
// the same candidates in the same order. It neither waits nor looks at a clock.
//
//   anchors to visit ▸ root traits ▸ match each group ▸ combine ▸ drop what another anchor gave already ▸ limit

import type { Walk } from '../domain/walk';
import { Anchors, anchorsToVisit } from './anchors';
import type { Candidate, Candidates, CandidateShape } from './candidate';
import { CandidateMaker } from './candidate-maker';
import { CombinationTally, Combinations, orderSlots } from './combine-groups';
import { explainCombination, explainMatch } from './explain-anchor';
import { applyLimit, countToGenerate, maximumOf } from './limit';
import type { Random } from './limit';
import { LoneTrees } from './lone-tree';
import { matchGroups } from './match-group';
import type { Choice, Slot } from './match-group';
import type { Provider, ProviderGraph } from './provider-graph';
import { prepareQuery } from './request-group';
import type { CandidateQuery, GenerationStrategy, PreparedQuery } from './request-group';
import { findRootFault } from './root-required';
import { Anchor } from './sharing';
import type { RejectionParams, RejectionStage, Trace } from './trace';

/** Under one anchor a search gives up after so many dead ends; it then says that its answer is cut. */
export const DEAD_ENDS_PER_ANCHOR_MAX = 20_000;
/** All anchors together. */
export const DEAD_ENDS_MAX = 1_000_000;

export interface SearchEnvironment {
  readonly random?: Random;
  readonly trace?: Trace;
  /** How many bytes a candidate of the shape takes in the answer; asked once a shape. */
  readonly bytesOfShape?: (shape: CandidateShape) => number;
  /** The search stops, and says that its answer is too large, once its candidates take more bytes than this. */
  readonly maxBytes?: number;
}

/** All allocation candidates of the query, or as many of them as it asks for. */
export function searchCandidates(graph: ProviderGraph, query: CandidateQuery, env: SearchEnvironment = {}): Candidates {
  let search = new Search(graph, query, env.trace);
  search.run(query.strategy ?? 'depth-first');
  if (query.strategy === null && search.found.length > maximumOf(query)) {
    env.trace?.restart();
    search = new Search(graph, query, env.trace);
    search.run('breadth-first');
  }
  const isCut = search.found.length > maximumOf(query);
  const kept = isCut ? search.found.slice(0, maximumOf(query)) : search.found;
  return {
    list: applyLimit(kept, query, env.random),
    truncated: isCut || search.gaveUp,
    gaveUp: search.gaveUp,
    isTooLarge: false,
    ...((query.maxAnchors ?? null) !== null && { anchorsBeyond: search.anchorsBeyond }),
    graph,
  };
}

/** What is going on under one anchor. */
interface AnchorWalk {
  readonly rootId: number;
  /** By suffix and class, and in the order they are decided. */
  readonly slots: readonly Slot[];
  readonly ordered: readonly Slot[];
  readonly combinations: Combinations;
  readonly tally: CombinationTally;
  given: number;
  repeated: number;
}

/** One pass over the anchors in one order. */
class Search {
  readonly found: Candidate[] = [];
  gaveUp = false;
  /** Anchors with candidates behind the first `maxAnchors`; null once one of them would have to be combined. */
  anchorsBeyond: number | null = 0;
  private readonly maxAnchors: number;
  private readonly query: PreparedQuery;
  private readonly maker: CandidateMaker;
  private readonly wanted: number;
  private readonly perRoot: number;
  private readonly seesSharing: boolean;
  /** Candidates that a later anchor may give again: those of sharing providers only. */
  private readonly seen = new Set<string>();
  /** What anchors offered that have nothing of their own to offer. */
  private readonly seenOffers = new Set<string>();
  private deadEndsLeft = DEAD_ENDS_MAX;
  /** Null where the query has no short way, or where reasons are wanted. */
  private readonly lone: LoneTrees | null;

  constructor(
    private readonly graph: ProviderGraph,
    query: CandidateQuery,
    private readonly trace: Trace | undefined,
  ) {
    this.query = prepareQuery(graph, query);
    this.maker = new CandidateMaker(this.query);
    this.wanted = countToGenerate(query);
    this.perRoot = query.perRoot ?? Number.POSITIVE_INFINITY;
    this.seesSharing = graph.sharingIds.length > 0;
    this.maxAnchors = query.maxAnchors ?? Number.POSITIVE_INFINITY;
    this.lone = trace === undefined ? LoneTrees.of(graph, this.query, this.maker) : null;
  }

  run(strategy: GenerationStrategy): void {
    const anchors = this.trace === undefined ? anchorsToVisit(this.graph, this.query) : new Anchors(this.graph.rootIds);
    if (strategy === 'depth-first') this.runDepthFirst(anchors);
    else this.runBreadthFirst(anchors);
  }

  private runDepthFirst(anchors: Anchors): void {
    for (const rootId of anchors.rootIds) {
      if (!anchors.passes(rootId)) continue;
      if (!this.isSettled(rootId)) {
        const walk = this.walkUnder(rootId);
        while (walk !== null && this.found.length < this.wanted && this.takeNext(walk));
      }
      if (this.found.length >= this.wanted) return;
    }
  }

  private runBreadthFirst(anchors: Anchors): void {
    let live: AnchorWalk[] = [];
    // In the first round every anchor that has candidates gives one, so those found are the anchors found.
    for (const rootId of anchors.rootIds) {
      if (!anchors.passes(rootId)) continue;
      if (this.found.length >= this.maxAnchors) {
        if (!this.isCountedBeyond(rootId)) break;
        continue;
      }
      if (!this.isSettled(rootId)) {
        const walk = this.walkUnder(rootId);
        if (walk !== null && this.takeNext(walk)) live.push(walk);
      }
      if (this.found.length >= this.wanted) return;
    }
    while (live.length > 0) {
      const next: AnchorWalk[] = [];
      for (const walk of live) {
        if (!this.takeNext(walk)) continue;
        if (this.found.length >= this.wanted) return;
        next.push(walk);
      }
      live = next;
    }
  }

  /** Takes the short way where there is one; answers whether there was. */
  private isSettled(rootId: number): boolean {
    if (this.lone === null) return false;
    const tree = this.graph.findTree(rootId);
    if (tree === undefined || !this.lone.isLone(tree)) return false;
    if (findRootFault(tree.root, this.query) !== null) return true;
    const candidate = this.lone.candidateOf(tree);
    if (candidate !== null) this.found.push(candidate);
    return true;
  }

  /** Counts an anchor behind the last one wanted where that is cheap; answers whether it was. */
  private isCountedBeyond(rootId: number): boolean {
    const tree = this.graph.findTree(rootId);
    if (tree === undefined) return true;
    if (this.lone?.isLone(tree) !== true) {
      this.anchorsBeyond = null;
      return false;
    }
    const matches = findRootFault(tree.root, this.query) === null && this.lone.hasCandidate(tree);
    if (matches && this.anchorsBeyond !== null) this.anchorsBeyond += 1;
    return true;
  }

  /** Finds the anchor's next candidate that no earlier anchor gave; false, and why to the trace, when it has none left. */
  private takeNext(walk: AnchorWalk): boolean {
    const { rootId, slots, ordered, combinations, tally } = walk;
    while (walk.given < this.perRoot && combinations.next()) {
      if (this.isRepeated(ordered, combinations.chosen)) {
        walk.repeated += 1;
        continue;
      }
      walk.given += 1;
      this.found.push(this.maker.make(rootId, ordered, combinations.chosen));
      return true;
    }
    this.deadEndsLeft = Math.max(0, this.deadEndsLeft - tally.deadEnds);
    this.gaveUp ||= tally.isExhausted;
    if (walk.given === 0 && this.trace !== undefined) this.rejectCombination(rootId, slots, tally, walk.repeated);
    return false;
  }

  /** The way through what there is to choose under the anchor; null, and why to the trace, when a group finds nothing. */
  private walkUnder(rootId: number): AnchorWalk | null {
    const tree = this.graph.findTree(rootId);
    if (tree === undefined) return null;
    const fault = findRootFault(tree.root, this.query);
    if (fault !== null) {
      if (this.trace !== undefined) this.reject(tree.root, null, 'root', fault.code, { trait: fault.trait });
      return null;
    }
    const anchor = new Anchor(this.graph, tree);
    const slots = matchGroups(anchor, this.query.groups);
    if ('group' in slots) {
      if (this.trace !== undefined) {
        const { stage, code, params } = explainMatch(this.graph, anchor, slots.group, slots.missing);
        this.reject(tree.root, slots.group.suffix, stage, code, params);
      }
      return null;
    }
    if (this.offersNothingNew(tree.root, slots)) return null;
    const ordered = orderSlots(slots);
    const tally = new CombinationTally(Math.min(DEAD_ENDS_PER_ANCHOR_MAX, this.deadEndsLeft));
    const combinations = new Combinations(ordered, this.query, tally);
    return { rootId, slots, ordered, combinations, tally, given: 0, repeated: 0 };
  }

  /** Under anchors that add nothing of their own, equal choices make equal candidates: one such anchor is enough. */
  private offersNothingNew(root: Provider, slots: readonly Slot[]): boolean {
    if (!this.seesSharing || this.perRoot !== Number.POSITIVE_INFINITY) return false;
    for (const { choices } of slots) for (const { provider } of choices) if (!provider.isSharing) return false;
    const key = slots.map((slot) => slot.choices.map(({ provider }) => provider.id).join()).join(';');
    if (!this.seenOffers.has(key)) {
      this.seenOffers.add(key);
      return false;
    }
    if (this.trace !== undefined) this.reject(root, null, 'combine', 'same_as_other_anchor', {});
    return true;
  }

  /** A candidate can come from two anchors only if all its providers are sharing ones. */
  private isRepeated(slots: readonly Slot[], chosen: readonly Choice[]): boolean {
    for (const { provider } of chosen) if (!provider.isSharing) return false;
    const ids = new Array<number>(slots.length);
    slots.forEach(({ index }, at) => (ids[index] = chosen[at]?.provider.id ?? 0));
    const key = ids.join();
    if (this.seen.has(key)) return true;
    this.seen.add(key);
    return false;
  }

  private rejectCombination(rootId: number, slots: readonly Slot[], tally: CombinationTally, repeated: number): void {
    const root = this.graph.findTree(rootId)?.root;
    if (root === undefined) return;
    const { group, stage, code, params } = explainCombination(slots, this.query, tally, repeated);
    this.reject(root, group, stage, code, params);
  }

  private reject(
    root: Provider,
    group: string | null,
    stage: RejectionStage,
    code: string,
    params: RejectionParams,
  ): void {
    this.trace?.reject({ tree: { rootId: root.id, rootUuid: root.uuid }, group, stage, code, params });
  }
}

/** The search as a walk that its caller pulls. */
export function* searchWalk(
  graph: ProviderGraph,
  query: CandidateQuery,
  env: SearchEnvironment = {},
): Walk<Candidates> {
  yield;
  return searchCandidates(graph, query, env);
}
