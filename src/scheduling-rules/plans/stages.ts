// The order of a plan: which moves each move waits for. The moves of a level claim their targets while all their sources
// are held, by the scheduler's own judgement. A move waits for the departures from its target in earlier levels; what a
// host holds at any moment is then a part of what it held when a level was judged, so no interleaving breaks a rule.
import type { DraftMove } from './draft';
import type { PlannedMove } from './plan';
import type { PlanCloud } from './plan-cloud';

/** Orders moves that are possible one after the other from the cloud's state now, which the replay changes. */
export async function inStages(
  cloud: PlanCloud,
  moves: readonly DraftMove[],
  maxMovesPerHost: number,
  isTimeUp: () => boolean,
): Promise<PlannedMove[]> {
  const mark = cloud.mark();
  const levels = await levelsOf(cloud, moves, isTimeUp);
  if (levels !== null) return numbered(levels, maxMovesPerHost);
  // The scheduler judges another order differently: the order of the draft, one by one, is the one it has accepted.
  cloud.rollback(mark);
  for (const { instance, target } of moves) {
    await cloud.claim(instance, target);
    cloud.release(instance);
  }
  return moves.map((move, at) => ({ ...move, after: at === 0 ? [] : [at - 1], stage: at }));
}

async function levelsOf(
  cloud: PlanCloud,
  moves: readonly DraftMove[],
  isTimeUp: () => boolean,
): Promise<DraftMove[][] | null> {
  const levels: DraftMove[][] = [];
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
      if (isNext && (isJudged ? await cloud.claim(move.instance, move.target) : !sources.has(move.target))) {
        level.push(move);
      } else {
        later.push(move);
        deferredTargets.add(move.target);
      }
      moving.add(move.instance);
      sources.add(move.source);
    }
    if (level.length === 0) return null;
    if (isJudged) for (const { instance } of level) cloud.release(instance);
    levels.push(level);
    waiting = later;
  }
  return levels;
}

/** Splits levels into stages of at most `maxMovesPerHost` moves for each host. */
function numbered(levels: readonly (readonly DraftMove[])[], maxMovesPerHost: number): PlannedMove[] {
  const planned: PlannedMove[] = [];
  const departed = new Map<number, number[]>();
  const lastMoveOf = new Map<number, number>();
  let firstStage = 0;
  for (const level of levels) {
    const counts = new Map<string, number>();
    const countOf = (stage: number, host: number): number => counts.get(`${stage} ${host}`) ?? 0;
    const staged = level.map((move) => {
      let stage = firstStage;
      while (Math.max(countOf(stage, move.source), countOf(stage, move.target)) >= maxMovesPerHost) stage += 1;
      for (const host of [move.source, move.target]) counts.set(`${stage} ${host}`, countOf(stage, host) + 1);
      const earlier = lastMoveOf.get(move.instance);
      const after = new Set([...(departed.get(move.target) ?? []), ...(earlier === undefined ? [] : [earlier])]);
      return { ...move, after: [...after].toSorted((one, other) => one - other), stage };
    });
    staged.sort((one, other) => one.stage - other.stage);
    for (const move of staged) {
      const position = planned.push(move) - 1;
      departed.set(move.source, [...(departed.get(move.source) ?? []), position]);
      lastMoveOf.set(move.instance, position);
      firstStage = Math.max(firstStage, move.stage + 1);
    }
  }
  return planned;
}
