// The order of a plan: which moves each move waits for. The moves of a level claim their targets while all their sources
// are held, by the scheduler's own judgement. A move waits for the departures from its target in earlier levels; what a
// host holds at any moment is then a part of what it held when a level was judged, so no interleaving breaks a rule.
import { addTo } from '../../platform/values/lists-by-key';
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
  const departures = new Map<number, number[]>();
  const movesOf = new Map<number, number[]>();
  for (const [at, { source, instance }] of earlier.entries()) {
    addTo(departures, source, at);
    addTo(movesOf, instance, at);
  }
  /** By host, its moves by stage from the first. */
  const counts: number[][] = [];
  const staged = level.map((move) => {
    const ofHosts = [move.source, move.target].map((host) => (counts[host] ??= []));
    let stage = 0;
    while (ofHosts.some((moves) => (moves[stage] ?? 0) >= mostPerHost)) stage += 1;
    for (const moves of ofHosts) moves[stage] = (moves[stage] ?? 0) + 1;
    const after = new Set([...(departures.get(move.target) ?? []), ...(movesOf.get(move.instance) ?? [])]);
    return { ...move, after: [...after].toSorted((one, other) => one - other), stage: firstStage + stage };
  });
  return staged.toSorted((one, other) => one.stage - other.stage);
}
