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
  let stage = 0;
  for (const level of levels) {
    for (const moves of stagesOf(level, maxMovesPerHost)) {
      for (const move of moves) {
        const earlier = lastMoveOf.get(move.instance);
        const after = new Set([...(departed.get(move.target) ?? []), ...(earlier === undefined ? [] : [earlier])]);
        planned.push({ ...move, after: [...after].toSorted((one, other) => one - other), stage });
      }
      stage += 1;
    }
    planned.slice(-level.length).forEach(({ instance, source }, at) => {
      const position = planned.length - level.length + at;
      departed.set(source, [...(departed.get(source) ?? []), position]);
      lastMoveOf.set(instance, position);
    });
  }
  return planned;
}

/** The hosts with the most moves left come first, so that few stages are needed. */
function stagesOf(level: readonly DraftMove[], maxMovesPerHost: number): readonly (readonly DraftMove[])[] {
  const left = new Map<number, number>();
  const add = (counts: Map<number, number>, { source, target }: DraftMove, by: number): void => {
    for (const host of [source, target]) counts.set(host, (counts.get(host) ?? 0) + by);
  };
  for (const move of level) add(left, move, 1);
  const urgency = ({ source, target }: DraftMove): number => Math.max(left.get(source) ?? 0, left.get(target) ?? 0);
  const stages: DraftMove[][] = [];
  let waiting = [...level];
  while (waiting.length > 0) {
    const counts = new Map<number, number>();
    const ranks = new Map(waiting.map((move) => [move, urgency(move)]));
    waiting.sort((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0));
    const stage: DraftMove[] = [];
    const later: DraftMove[] = [];
    for (const move of waiting) {
      const isFree = [move.source, move.target].every((host) => (counts.get(host) ?? 0) < maxMovesPerHost);
      (isFree ? stage : later).push(move);
      if (isFree) add(counts, move, 1);
    }
    for (const move of stage) add(left, move, -1);
    stages.push(stage);
    waiting = later;
  }
  return stages;
}
