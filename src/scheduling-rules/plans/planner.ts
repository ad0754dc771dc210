// The entry of the planner: the search for the goal, on a small cloud an exact one as well, then the order of the moves.
// It changes the cloud only until it returns.
import { seededRandom } from '../../platform/values/random';
import { Draft } from './draft';
import { unmovableOn } from './drain';
import { searchExactly } from './exact-search';
import { figuresOf } from './figures';
import type { DraftMove, Plan, PlanAsk, PlanLimits } from './plan';
import type { PlanCloud } from './plan-cloud';
import { inStages } from './stages';
import { FEW_HOSTS, type Strategy, strategyFor } from './strategies';

const ROUNDS = 4;
/** Clouds with at most so many hosts get an exact search, of plans with at most so many moves. */
const EXACT_HOSTS = 6;
const EXACT_MOVES = 6;
/** A longer draft is not made again. */
const MOST_JOINED = 1_000;

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
    const drained = goal.kind === 'drain' ? [...new Set(goal.hosts)] : [];
    for (const host of drained) cloud.close(host);
    const draft = new Draft(cloud, ask, limits, drained);
    const strategy = await strategyFor(draft, goal.kind === 'drain' ? { ...goal, hosts: drained } : goal, ask.minGain);
    const isSmall = cloud.hosts.length <= FEW_HOSTS;
    const figures = async () => figuresOf(cloud, (await strategy.places?.figure(isSmall)) ?? null);
    const none: Found = { moves: [], score: await strategy.score(), least: 0 };
    const before = await figures();
    let found = await searched(draft, strategy, isSmall ? ROUNDS : 1);
    if (cloud.hosts.length <= EXACT_HOSTS) found = await improved(draft, strategy, found);
    if (goal.kind !== 'drain' && (found.score <= none.score || found.score - none.score < ask.minGain)) found = none;
    await draft.replay(found.moves);
    const isTimeUp = limits.isTimeUp();
    const unmovable = await unmovableOn(draft, drained);
    const after = await figures();
    draft.undo(0);
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
async function searched(draft: Draft, strategy: Strategy, rounds: number): Promise<Found> {
  const random = seededRandom(draft.ask.seed);
  let best: Found = { moves: [], score: -Infinity, least: 0 };
  for (let round = 0; round < rounds && (round === 0 || !draft.limits.isTimeUp()); round += 1) {
    draft.undo(0);
    await strategy.search(random, round / rounds);
    await joined(draft);
    const moves = [...draft.moves];
    const score = await strategy.score();
    if (score < best.score || (score === best.score && moves.length >= best.moves.length)) continue;
    best = { moves, score, least: strategy.leastMoves(score) };
    if (strategy.next(score) === null && moves.length <= (best.least ?? 0)) break;
  }
  return best;
}

/** Two moves of one instance become one, if the scheduler accepts all that are left. */
async function joined(draft: Draft): Promise<void> {
  const moves = [...draft.moves];
  const last = new Map(moves.map(({ instance }, at) => [instance, at]));
  if (last.size === moves.length || moves.length > MOST_JOINED || draft.limits.isTimeUp()) return;
  const fewer = moves.filter(({ instance }, at) => last.get(instance) === at);
  if (!(await draft.replay(fewer))) await draft.replay(moves);
}

/** By exact searches: better scores as long as there are any, then the best score with fewer moves. */
async function improved(draft: Draft, strategy: Strategy, found: Found): Promise<Found> {
  const exactly = async (score: number, from: number, most: number): Promise<Found & { readonly isFound: boolean }> => {
    draft.undo(0);
    const { steps, least } = await searchExactly(draft, (states) => strategy.leastFrom(states, score), from, most);
    const moves = (steps ?? []).map((step) => ({ ...step, reason: strategy.exactReason }));
    const isFound = steps !== null && (await draft.replay(moves));
    return { moves: [...draft.moves], score, least, isFound };
  };
  const most = Math.min(draft.ask.maxMoves ?? EXACT_MOVES, EXACT_MOVES);
  let best = found;
  for (let score = strategy.next(best.score); score !== null; score = strategy.next(best.score)) {
    const better = await exactly(score, strategy.leastMoves(score) ?? 1, most);
    if (!better.isFound) break;
    best = better;
  }
  const from = best.least ?? 0;
  if (best.moves.length <= from) return best;
  const shorter = await exactly(best.score, from, Math.min(best.moves.length - 1, 2 * EXACT_MOVES));
  return shorter.isFound ? shorter : { ...best, least: shorter.least };
}
