// Where every tree went. Unlike a trace, which tells what one search met on its way, this looks at all anchors: those
// behind the limit too. Law: every root is in the answer, or in exactly one rejection, or not reached.

import type { Walk } from '../../platform/values/walk';
import { AnchorSearch } from './anchor-search';
import type { Candidates, FoundCandidate } from './candidate';
import { explainAnchor } from './explain-anchor';
import type { Slot } from './match-group';
import type { ProviderGraph } from './provider-graph';
import { prepareQuery } from './request-group';
import type { CandidateQuery, PreparedQuery } from './request-group';
import { findRootFault } from './root-required';
import { searchWalk } from './search';
import type { SearchEnvironment } from './search';
import type { Rejection, RejectionStage } from './trace';
import { Work } from './work';

/**
 * `in_answer`: yields a returned candidate, if only one that is returned under another root. `not_reached`: yields
 * candidates, none of which is returned.
 */
export type TreeStatus = 'in_answer' | 'rejected' | 'not_reached';

/** In the order in which an anchor meets them. `combine` includes: some group finds nobody under the anchor. */
export const WHOLE_REQUEST_STAGES = [
  'root',
  'sharing',
  'combine',
  'group_policy',
  'same_subtree',
  'merged_capacity',
] as const;
type WholeRequestStage = (typeof WHOLE_REQUEST_STAGES)[number];

/** Anchors that came to a stage, and those it let through. */
export interface WholeRequestCount {
  readonly stage: WholeRequestStage;
  readonly in: number;
  readonly out: number;
}

export interface ExplainedAnswer {
  readonly candidates: Candidates;
  readonly trees: Readonly<Record<'total' | TreeStatus, number>>;
  readonly wholeRequest: readonly WholeRequestCount[];
  /** One for each rejected tree, in the order of the roots. */
  readonly rejections: readonly Rejection[];
  /** What became of the tree of this root. */
  readonly statusOf: (rootId: number) => TreeStatus;
}

/** The answer of the query and what became of each tree. Draws nothing: with `randomize` it tells of the first ones. */
export function* explainAnswer(
  graph: ProviderGraph,
  asked: CandidateQuery,
  env: Omit<SearchEnvironment, 'random' | 'trace'> = {},
): Walk<ExplainedAnswer> {
  const work = env.work ?? new Work();
  const query = { ...asked, randomize: false };
  const candidates = yield* searchWalk(graph, query, { ...env, work });
  const returned = returnedBy(candidates.list);
  const judge = new AnchorJudge(graph, prepareQuery(graph, query), returned, work);
  const statuses = new Map<number, TreeStatus>();
  const rejections: Rejection[] = [];
  const trees = { total: graph.rootIds.length, in_answer: 0, rejected: 0, not_reached: 0 };
  for (const rootId of graph.rootIds) {
    const verdict = yield* judge.judge(rootId);
    const status = typeof verdict === 'string' ? verdict : 'rejected';
    if (typeof verdict !== 'string') rejections.push(verdict);
    statuses.set(rootId, status);
    trees[status] += 1;
    yield;
  }
  const statusOf = (rootId: number): TreeStatus => statuses.get(rootId) ?? 'rejected';
  return { candidates, trees, wholeRequest: countStages(trees.total, rejections), rejections, statusOf };
}

/** What the judge has to know of the returned candidates. */
interface Returned {
  readonly anchorIds: ReadonlySet<number>;
  /** Those that several anchors may yield, each as the provider of every slot. */
  readonly shared: readonly (readonly number[])[];
}

function returnedBy(list: readonly FoundCandidate[]): Returned {
  const anchorIds = new Set<number>();
  const shared: (readonly number[])[] = [];
  for (const candidate of list) {
    anchorIds.add(candidate.root.id);
    if (candidate.providers.every(({ isSharing }) => isSharing))
      shared.push(candidate.providerOfSlot.map(({ id }) => id));
  }
  return { anchorIds, shared };
}

class AnchorJudge {
  /** Whether a returned candidate can be had from these choices of sharing providers. */
  private readonly known = new Map<string, boolean>();

  constructor(
    private readonly graph: ProviderGraph,
    private readonly query: PreparedQuery,
    private readonly returned: Returned,
    private readonly work: Work,
  ) {}

  *judge(rootId: number): Walk<'in_answer' | 'not_reached' | Rejection> {
    this.work.done += 1;
    if (this.returned.anchorIds.has(rootId)) return 'in_answer';
    const tree = this.graph.findTree(rootId);
    if (tree === undefined) return 'not_reached';
    const rejected = { root: tree.root };
    const fault = findRootFault(tree.root, this.query);
    if (fault !== null) {
      return { ...rejected, group: null, stage: 'root', code: fault.code, params: { trait: fault.trait } };
    }
    const under = new AnchorSearch(this.graph, tree, this.query, this.work);
    if (yield* this.yieldsAny(under)) return this.yieldsReturned(under.slots) ? 'in_answer' : 'not_reached';
    return { ...rejected, ...explainAnchor(this.graph, under, this.query, this.work) };
  }

  /** Matching is always finished; combining, as long as there is work left to do it. */
  private *yieldsAny(under: AnchorSearch): Walk<boolean> {
    let step = under.match();
    for (; step === 'paused'; step = under.match()) {
      this.work.goOn();
      yield;
    }
    if (step === 'none') return false;
    if (this.yieldsReturned(under.slots)) return true;
    for (step = under.next(); step === 'paused'; step = under.next()) {
      if (this.work.isUsedUp) {
        under.tally.isExhausted = true;
        return false;
      }
      this.work.goOn();
      yield;
    }
    return step === 'found';
  }

  /** The rules of combining look at the choices alone, so what holds under one anchor holds under all that offer it. */
  private yieldsReturned(slots: readonly Slot[]): boolean {
    const { shared } = this.returned;
    if (shared.length === 0) return false;
    const offered: Set<number>[] = [];
    for (const { choices } of slots) {
      this.work.done += choices.length;
      offered.push(new Set(choices.flatMap(({ provider }) => (provider.isSharing ? [provider.id] : []))));
    }
    const key = offered.map((ids) => [...ids].join()).join(';');
    const known = this.known.get(key);
    if (known !== undefined) return known;
    let isOffered = false;
    for (let at = 0; at < shared.length && !isOffered; at += 1) {
      this.work.done += 1;
      isOffered = shared[at]?.every((id, slot) => offered[slot]?.has(id) === true) === true;
    }
    this.known.set(key, isOffered);
    return isOffered;
  }
}

function countStages(total: number, rejections: readonly Rejection[]): readonly WholeRequestCount[] {
  const fallen = new Map<WholeRequestStage, number>();
  for (const { stage } of rejections) {
    const met = isWholeRequestStage(stage) ? stage : 'combine';
    fallen.set(met, (fallen.get(met) ?? 0) + 1);
  }
  let left = total;
  return WHOLE_REQUEST_STAGES.map((stage) => {
    const before = left;
    left -= fallen.get(stage) ?? 0;
    return { stage, in: before, out: left };
  });
}

const isWholeRequestStage = (stage: RejectionStage): stage is WholeRequestStage & RejectionStage =>
  (WHOLE_REQUEST_STAGES as readonly string[]).includes(stage);
