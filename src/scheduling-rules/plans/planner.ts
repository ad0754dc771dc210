// The entry of the planner: the search for the goal, on a small cloud an exact one as well, then the order of the moves.
// It changes the cloud only until it returns.
import { seededRandom } from '../../platform/values/random';
import { Draft, type DraftMove, type DraftPoint } from './draft';
import { unmovableOn } from './drain';
import { searchExactly } from './exact-search';
import { figuresOf } from './figures';
import type { Plan, PlanAsk, PlanLimits } from './plan';
import type { PlanCloud } from './plan-cloud';
import { shortened } from './shortened';
import { inStages } from './stages';
import { FEW_HOSTS, type Strategy, strategyFor } from './strategies';

const ROUNDS = 4;
/** Clouds with at most so many hosts get an exact search, of plans with at most so many moves. */
const EXACT_HOSTS = 6;
const EXACT_MOVES = 6;

interface Found {
  readonly moves: readonly DraftMove[];
  readonly score: number;
  /** Fewer moves do not reach the score; null: unknown. */
  readonly least: number | null;
}

/** The same cloud, ask and seed give the same plan if the time is not up. */
export async function plan(cloud: PlanCloud, ask: PlanAsk, limits: PlanLimits): Promise<Plan> {
  const mark = cloud.mark();
  try {
    const { goal } = ask;
    const draft = new Draft(cloud, ask, limits);
    const drained = goal.kind === 'drain' ? goal.hosts : [];
    for (const host of drained) draft.close(host);
    const strategy = await strategyFor(draft, goal, ask.minGain);
    const isSmall = cloud.hosts.length <= FEW_HOSTS;
    const figures = async () => figuresOf(cloud, (await strategy.places?.figure(isSmall)) ?? null);
    const start = draft.point();
    const none: Found = { moves: [], score: await strategy.score(), least: 0 };
    const before = await figures();
    let found = await searched(draft, start, strategy, isSmall ? ROUNDS : 1);
    if (cloud.hosts.length <= EXACT_HOSTS) found = await improved(draft, start, strategy, found);
    if (goal.kind !== 'drain' && (found.score <= none.score || found.score - none.score < ask.minGain)) found = none;
    await replay(draft, start, found.moves);
    const isTimeUp = limits.isTimeUp();
    const unmovable = await unmovableOn(draft, drained);
    const after = await figures();
    draft.undo(start);
    return {
      moves: await inStages(cloud, found.moves, ask.maxMovesPerHost, limits.isTimeUp),
      unmovable,
      isReached: unmovable.length === 0 && (goal.kind !== 'room' || goal.count === null || found.score >= goal.count),
      leastMoves: found.least,
      before,
      after,
      isTimeUp,
    };
  } finally {
    cloud.rollback(mark);
  }
}

/** The best of several rounds of the strategy's own search. */
async function searched(draft: Draft, start: DraftPoint, strategy: Strategy, rounds: number): Promise<Found> {
  const random = seededRandom(draft.ask.seed);
  let best: Found = { moves: [], score: -Infinity, least: 0 };
  for (let round = 0; round < rounds && (round === 0 || !draft.limits.isTimeUp()); round += 1) {
    draft.undo(start);
    await strategy.search(random, round / rounds);
    await shortened(draft, start);
    const { moves } = draft;
    const score = await strategy.score();
    if (score < best.score || (score === best.score && moves.length >= best.moves.length)) continue;
    best = { moves, score, least: strategy.leastMoves(score) };
    if (strategy.next(score) === null && moves.length <= (best.least ?? 0)) break;
  }
  return best;
}

/** By exact searches: better scores as long as there are any, then the best score with fewer moves. */
async function improved(draft: Draft, start: DraftPoint, strategy: Strategy, found: Found): Promise<Found> {
  draft.undo(start);
  const most = Math.min(draft.ask.maxMoves ?? EXACT_MOVES, EXACT_MOVES);
  let best = found;
  for (let score = strategy.next(best.score); score !== null; score = strategy.next(best.score)) {
    const { steps, least } = await searchExactly(
      draft,
      strategy.exactGoal(score),
      strategy.leastMoves(score) ?? 1,
      most,
    );
    const moves = steps === null ? null : await movesOf(draft, start, steps, strategy.exactReason);
    if (moves === null) break;
    best = { moves, score, least };
  }
  const from = best.least ?? 0;
  if (best.moves.length <= from) return best;
  const fewer = Math.min(best.moves.length - 1, 2 * EXACT_MOVES);
  const { steps, least } = await searchExactly(draft, strategy.exactGoal(best.score), from, fewer);
  const moves = steps === null ? null : await movesOf(draft, start, steps, strategy.exactReason);
  return { ...best, moves: moves ?? best.moves, least };
}

/** With their sources and reasons; null: the scheduler judges one of them differently now. */
async function movesOf(
  draft: Draft,
  start: DraftPoint,
  steps: readonly { readonly instance: number; readonly target: number }[],
  reason: string,
): Promise<readonly DraftMove[] | null> {
  const isMade = await replay(
    draft,
    start,
    steps.map((step) => ({ ...step, reason })),
  );
  const { moves } = draft;
  draft.undo(start);
  return isMade ? moves : null;
}

async function replay(draft: Draft, start: DraftPoint, moves: readonly Omit<DraftMove, 'source'>[]): Promise<boolean> {
  const made = draft.moves;
  const isThere = (move: Omit<DraftMove, 'source'>, at: number): boolean =>
    move.instance === made[at]?.instance && move.target === made[at].target;
  if (moves.length === made.length && moves.every(isThere)) return true;
  draft.undo(start);
  for (const { instance, target, reason } of moves) {
    if (!(await draft.move(instance, target, reason))) return false;
  }
  return true;
}
