// The entry point: the stages of a search in their order. Deterministic: the same graph, query and randomness give the
// same candidates in the same order. A search neither waits nor reads a clock: it counts its steps, and yields when a
// pause is due.
//
//   anchors to visit ▸ root traits ▸ match each group ▸ combine ▸ drop candidates of earlier anchors ▸ limit

import type { Random } from '../../platform/values/random';
import type { Task } from '../../platform/values/task';
import { runToCompletion } from '../../platform/values/task';
import { AnchorSearch } from './anchor-search';
import { Anchors, anchorsToVisit } from './anchors';
import type { Candidates, FoundCandidate } from './candidate';
import { CandidateMaker } from './candidate-maker';
import type { CombinationStep } from './combine-groups';
import type { SizeBound } from './found';
import { Found, SizeMeter } from './found';
import { applyLimit, maximumOf } from './limit';
import type { Choice, Slot } from './match-group';
import type { ProviderGraph } from './provider-graph';
import type { CandidateQuery, GenerationStrategy, PreparedQuery } from './request-group';
import { prepareQuery } from './request-group';
import { isRootAllowed } from './root-required';
import { SingleProviderTrees } from './single-provider-trees';
import { Work } from './work';

interface SearchEnvironment extends SizeBound {
  readonly random?: Random | undefined;
  /** Counts and bounds the steps of this search; several searches can share one. */
  readonly work?: Work;
}

/** The allocation candidates of the query, up to its limit. */
export function searchCandidates(graph: ProviderGraph, query: CandidateQuery, env: SearchEnvironment = {}): Candidates {
  return runToCompletion(searchTask(graph, query, env));
}

/** The search as a generator. A caller can stop pulling at any time: the search keeps no state elsewhere. */
export function* searchTask(
  graph: ProviderGraph,
  query: CandidateQuery,
  env: SearchEnvironment = {},
): Task<Candidates> {
  const work = env.work ?? new Work();
  let search = new Search(graph, query, env, work);
  yield* search.run(query.strategy ?? 'depth-first');
  if (query.strategy === null && search.found.list.length > maximumOf(query)) {
    search = new Search(graph, query, env, work);
    yield* search.run('breadth-first');
  }
  const { found, gaveUp, isBounded } = search;
  const isCut = found.list.length > maximumOf(query);
  const kept = isCut ? found.list.slice(0, maximumOf(query)) : found.list;
  const list = applyLimit(kept, query, env.random, work);
  const isTooLarge = found.isTooLarge || (query.randomize && exceeds(list, env));
  return {
    list,
    truncated: isCut || gaveUp || isTooLarge,
    gaveUp,
    isTooLarge,
    isBounded,
    graph,
  };
}

function exceeds(list: readonly FoundCandidate[], bound: SizeBound): boolean {
  const size = SizeMeter.of(bound);
  if (size === null) return false;
  for (const candidate of list) size.add(candidate);
  return size.isExceeded;
}

/** Why a visit to the anchors stops. `exhausted`: the current anchor has no (further) candidates. */
type Stop = 'done' | 'paused' | 'exhausted';

/** One pass over the anchors in one order. */
class Search {
  readonly found: Found;
  gaveUp = false;
  /** The work limit is reached. */
  private isSpent = false;
  /** The search under the current anchor. */
  private under: AnchorSearch | null = null;
  /** Anchors after the first `maxAnchors` with candidates were not searched. */
  isBounded = false;
  private readonly maxAnchors: number;
  private readonly query: PreparedQuery;
  private readonly maker: CandidateMaker;
  private readonly perRoot: number;
  /** Null: every root is searched. */
  private readonly onlyRoots: readonly number[] | null;
  private readonly seesSharing: boolean;
  /** Keys of the candidates that a later anchor can repeat: those of sharing providers only. */
  private readonly repeatableKeys = new Set<string>();
  /** Keys of the choices of anchors that use sharing providers only. */
  private readonly seenOffers = new Set<string>();
  /** The shortcut for single-provider trees; null if the query does not allow it. */
  private readonly singles: SingleProviderTrees | null;

  constructor(
    private readonly graph: ProviderGraph,
    query: CandidateQuery,
    env: SearchEnvironment,
    private readonly work: Work,
  ) {
    this.query = prepareQuery(graph, query);
    this.maker = new CandidateMaker(this.query);
    this.found = new Found(query, env);
    this.perRoot = query.perRoot ?? Number.POSITIVE_INFINITY;
    const { onlyRoots = null } = query;
    this.onlyRoots = onlyRoots && rootsOf(graph, onlyRoots);
    this.seesSharing = graph.sharingIds.length > 0;
    this.maxAnchors = query.maxAnchors ?? Number.POSITIVE_INFINITY;
    this.singles = SingleProviderTrees.of(graph, this.query, this.maker);
  }

  *run(strategy: GenerationStrategy): Task<void> {
    const { graph, query, work } = this;
    const anchors = this.onlyRoots === null ? anchorsToVisit(graph, query, work) : new Anchors(this.onlyRoots);
    if (strategy === 'depth-first') yield* this.runDepthFirst(anchors);
    else yield* this.runBreadthFirst(anchors);
  }

  private *runDepthFirst(anchors: Anchors): Task<void> {
    yield* this.visitAll(() => this.goDeep(anchors));
  }

  private *runBreadthFirst(anchors: Anchors): Task<void> {
    let live: AnchorSearch[] = [];
    yield* this.visitAll(() => this.takeOneOfEach(anchors, live));
    while (live.length > 0 && !this.isOver) {
      const next: AnchorSearch[] = [];
      for (const under of live) {
        let step = this.takeNext(under);
        for (; step === 'paused' && !this.isOver; step = this.takeNext(under)) yield* this.pause();
        if (this.isOver) return;
        if (step === 'found') next.push(under);
      }
      live = next;
    }
  }

  /** Calls `visit` until it is done. Between the calls, pauses or concludes the current anchor. */
  private *visitAll(visit: () => Stop): Task<void> {
    for (let stop = visit(); stop !== 'done'; stop = visit()) {
      if (stop === 'paused') yield* this.pause();
      if (stop === 'exhausted') this.under = null;
      if (this.isSpent) return;
    }
  }

  /** Adds all candidates of an anchor before those of the next one. */
  private goDeep(anchors: Anchors): Stop {
    const { found } = this;
    while (!found.isEnough) {
      if (this.under === null) {
        const rootId = anchors.next(this.work);
        if (rootId === null) return anchors.isAtEnd ? 'done' : 'paused';
        if (!this.isAnsweredAtOnce(rootId)) this.under = this.searchUnder(rootId);
        continue;
      }
      const step = this.takeNext(this.under);
      if (step === 'paused') return step;
      if (step === 'none') return 'exhausted';
    }
    return 'done';
  }

  /** The first round adds one candidate of every anchor that has any, so candidates and anchors have the same number. */
  private takeOneOfEach(anchors: Anchors, live: AnchorSearch[]): Stop {
    const { found } = this;
    while (!found.isEnough) {
      if (this.under === null) {
        const rootId = anchors.next(this.work);
        if (rootId === null) return anchors.isAtEnd ? 'done' : 'paused';
        this.isBounded = found.list.length >= this.maxAnchors;
        if (this.isBounded) return 'done';
        if (!this.isAnsweredAtOnce(rootId)) this.under = this.searchUnder(rootId);
        continue;
      }
      const step = this.takeNext(this.under);
      if (step === 'paused') return step;
      if (step === 'none') return 'exhausted';
      live.push(this.under);
      this.under = null;
    }
    return 'done';
  }

  private get isOver(): boolean {
    return this.isSpent || this.found.isEnough;
  }

  private *pause(): Task<void> {
    this.work.goOn();
    yield;
    if (this.work.isUsedUp) this.isSpent = this.gaveUp = true;
  }

  /** Adds the candidate of a single-provider tree. Returns false if the tree needs a full search. */
  private isAnsweredAtOnce(rootId: number): boolean {
    if (this.singles === null) return false;
    this.work.done += 1;
    const tree = this.graph.findTree(rootId);
    if (tree === undefined || !this.singles.isSingle(tree)) return false;
    const candidate = this.singles.candidateOf(tree);
    if (candidate !== null) this.found.add(candidate);
    return true;
  }

  /** Adds the anchor's next candidate that no earlier anchor had. */
  private takeNext(under: AnchorSearch): CombinationStep {
    if (!under.isMatched) {
      const step = under.match();
      if (step !== 'found') return step;
      if (this.offersNothingNew(under)) return 'none';
    }
    while (under.given < this.perRoot) {
      const step = under.next();
      if (step === 'paused') return step;
      if (step === 'none') break;
      this.work.done += under.ordered.length;
      if (this.isRepeated(under.ordered, under.chosen)) continue;
      under.given += 1;
      this.found.add(this.maker.make(under.anchor.root, under.ordered, under.chosen));
      return 'found';
    }
    this.gaveUp ||= under.isExhausted;
    return 'none';
  }

  /** The search under one anchor. Null if the query excludes its root. */
  private searchUnder(rootId: number): AnchorSearch | null {
    const tree = this.graph.findTree(rootId);
    if (tree === undefined || !isRootAllowed(tree.root, this.query)) return null;
    return new AnchorSearch(this.graph, tree, this.query, this.work);
  }

  /** Anchors that use sharing providers only have equal candidates if their choices are equal: one of them suffices. */
  private offersNothingNew(under: AnchorSearch): boolean {
    if (!this.seesSharing || this.perRoot !== Number.POSITIVE_INFINITY) return false;
    for (const { choices } of under.slots) for (const { provider } of choices) if (!provider.isSharing) return false;
    const key = under.slots.map((slot) => slot.choices.map(({ provider }) => provider.id).join()).join(';');
    this.work.done += key.length;
    const isKnown = this.seenOffers.has(key);
    this.seenOffers.add(key);
    return isKnown;
  }

  /** A candidate can come from two anchors only if all its providers are sharing ones. */
  private isRepeated(slots: readonly Slot[], chosen: readonly Choice[]): boolean {
    for (const { provider } of chosen) if (!provider.isSharing) return false;
    const ids = new Array<number>(slots.length);
    slots.forEach(({ index }, at) => (ids[index] = chosen[at]?.provider.id ?? 0));
    const key = ids.join();
    if (this.repeatableKeys.has(key)) return true;
    this.repeatableKeys.add(key);
    return false;
  }
}

/** Ascending. */
function rootsOf(graph: ProviderGraph, uuids: readonly string[]): readonly number[] {
  const ids = uuids.flatMap((uuid) => graph.findProviderByUuid(uuid)?.rootId ?? []);
  return ids.sort((one, other) => one - other);
}
