// The result of every tree. A trace records what one search met; this covers all anchors, including those after the
// limit. Law: every root is in the answer, in exactly one rejection, or not reached.

import type { Task } from '../../platform/values/task';
import { AnchorSearch } from './anchor-search';
import type { Candidates, FoundCandidate } from './candidate';
import { explainAnchor } from './explain-anchor';
import type { Slot } from './match-group';
import type { ProviderGraph } from './provider-graph';
import type { CandidateQuery, PreparedQuery } from './request-group';
import { prepareQuery } from './request-group';
import { findRootFault } from './root-required';
import type { SearchEnvironment } from './search';
import { searchTask } from './search';
import type { Rejection, RejectionStage } from './trace';
import { Work } from './work';

/**
 * `in_answer`: yields a returned candidate, even if only under another root. `not_reached`: yields candidates, but none
 * of them is returned.
 */
export type TreeStatus = 'in_answer' | 'rejected' | 'not_reached';

/** In the order in which an anchor passes them. `combine` includes: a group finds no provider under the anchor. */
export const WHOLE_REQUEST_STAGES = [
  'root',
  'sharing',
  'combine',
  'group_policy',
  'same_subtree',
  'merged_capacity',
] as const;
type WholeRequestStage = (typeof WHOLE_REQUEST_STAGES)[number];

/** The number of anchors that reached a stage, and of those that passed it. */
export interface WholeRequestCount {
  readonly stage: WholeRequestStage;
  readonly in: number;
  readonly out: number;
}

export interface ExplainedAnswer {
  readonly candidates: Candidates;
  readonly trees: Readonly<Record<'total' | TreeStatus, number>>;
  readonly wholeRequest: readonly WholeRequestCount[];
  /** One per rejected tree, in the order of the roots. */
  readonly rejections: readonly Rejection[];
  /** The status of the tree with this root. */
  readonly statusOf: (rootId: number) => TreeStatus;
}

/**
 * The answer of the query and the status of each tree. Does not draw: with `randomize` it explains the first
 * candidates.
 */
export function* explainAnswer(
  graph: ProviderGraph,
  asked: CandidateQuery,
  env: Omit<SearchEnvironment, 'random' | 'trace'> = {},
): Task<ExplainedAnswer> {
  const work = env.work ?? new Work();
  const query = { ...asked, randomize: false };
  const candidates = yield* searchTask(graph, query, { ...env, work });
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

/** Facts about the returned candidates for the check. */
interface Returned {
  readonly anchorIds: ReadonlySet<number>;
  /** Candidates that several anchors can yield, each as the provider ids of its slots. */
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
  /** Cache: whether these choices of sharing providers contain a returned candidate. */
  private readonly known = new Map<string, boolean>();

  constructor(
    private readonly graph: ProviderGraph,
    private readonly query: PreparedQuery,
    private readonly returned: Returned,
    private readonly work: Work,
  ) {}

  *judge(rootId: number): Task<'in_answer' | 'not_reached' | Rejection> {
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

  /** Always completes matching; combines while the work limit allows. */
  private *yieldsAny(under: AnchorSearch): Task<boolean> {
    let step = under.match();
    for (; step === 'paused'; step = under.match()) {
      this.work.goOn();
      yield;
    }
    if (step === 'none') return false;
    if (this.yieldsReturned(under.slots)) return true;
    for (step = under.next(); step === 'paused'; step = under.next()) {
      if (this.work.isUsedUp) {
        under.counter.isExhausted = true;
        return false;
      }
      this.work.goOn();
      yield;
    }
    return step === 'found';
  }

  /**
   * The rules for combining depend only on the choices, so the result is the same under all anchors with these choices.
   */
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
