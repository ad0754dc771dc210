// The order of a plan: which moves each move waits for. The moves of a level claim their targets while all their sources
// are held, by the scheduler's own judgement. A move waits for the departures from its target in earlier levels; what a
// host holds at any moment is then a part of what it held when a level was judged, so no interleaving breaks a rule.
import type { DraftMove, PlannedMove } from './plan';
import type { PlanCloud } from './plan-cloud';

/** Orders moves that are possible one after the other from the cloud's state now, which the replay changes. */
export async function inStages(
  cloud: PlanCloud,
  moves: readonly DraftMove[],
  maxMovesPerHost: number,
  isTimeUp: () => boolean,
): Promise<PlannedMove[]> {
  const planned: PlannedMove[] = [];
  let waiting = moves;
  let isJudged = true;
  while (waiting.length > 0) {
    const level: DraftMove[] = [];
    const later: DraftMove[] = [];
    const moving = new Set<number>();
    const sources = new Set<number>();
    const deferredTargets = new Set<number>();
    for (const move of waiting) {
      isJudged &&= !isTimeUp();
      const isNext = !moving.has(move.instance) && !deferredTargets.has(move.target);
      // Without time for questions, a move waits for all departures from its target that the draft has before it.
      const isPossible =
        isNext && (isJudged ? await cloud.claim(move.instance, move.target) : !sources.has(move.target));
      (isPossible ? level : later).push(move);
      if (!isPossible) deferredTargets.add(move.target);
      moving.add(move.instance);
      sources.add(move.source);
    }
    // The scheduler judges another order differently: the draft's own order, one by one, is the one it has accepted.
    if (level.length === 0) return moves.map((move, at) => ({ ...move, after: at === 0 ? [] : [at - 1], stage: at }));
    if (isJudged) for (const { instance } of level) cloud.release(instance);
    planned.push(...numbered(level, planned, maxMovesPerHost));
    waiting = later;
  }
  return planned;
}

/** A level after the earlier ones, in stages of at most `mostPerHost` moves for each host. */
function numbered(level: readonly DraftMove[], earlier: readonly PlannedMove[], mostPerHost: number): PlannedMove[] {
  const firstStage = (earlier.at(-1)?.stage ?? -1) + 1;
  const counts = new Map<string, number>();
  const countOf = (stage: number, host: number): number => counts.get(`${stage} ${host}`) ?? 0;
  const staged = level.map((move) => {
    let stage = firstStage;
    while (Math.max(countOf(stage, move.source), countOf(stage, move.target)) >= mostPerHost) stage += 1;
    for (const host of [move.source, move.target]) counts.set(`${stage} ${host}`, countOf(stage, host) + 1);
    const after = [...earlier.keys()].filter(
      (at) => earlier[at]?.source === move.target || earlier[at]?.instance === move.instance,
    );
    return { ...move, after, stage };
  });
  return staged.toSorted((one, other) => one.stage - other.stage);
}
