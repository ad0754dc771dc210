// The entry of the planner: the search for the goal, then the order of its moves. It changes the cloud only until it returns.
import { seededRandom } from '../../platform/values/random';
import { Draft } from './draft';
import { drain, unmovableOn } from './drain';
import { figuresOf } from './figures';
import type { PlanCloud } from './plan-cloud';
import type { Plan, PlanAsk, PlanLimits, Unmovable } from './plan';
import { inStages } from './stages';

/** The same cloud, ask and seed give the same plan if the time is not up. */
export async function plan(cloud: PlanCloud, ask: PlanAsk, limits: PlanLimits): Promise<Plan> {
  const start = cloud.mark();
  try {
    const { goal } = ask;
    const random = seededRandom(ask.seed);
    const draft = new Draft(cloud, ask, limits);
    const before = figuresOf(cloud, null);
    let unmovable: readonly Unmovable[] = [];
    let isReached = false;
    let leastMoves: number | null = null;
    if (goal.kind === 'drain') for (const host of goal.hosts) draft.close(host);
    const point = draft.point();
    if (goal.kind === 'drain') {
      const all = goal.hosts.flatMap((host) => cloud.instancesOn(host)).length;
      await drain(draft, goal.hosts, random);
      unmovable = await unmovableOn(draft, goal.hosts);
      isReached = unmovable.length === 0;
      leastMoves = all - unmovable.length;
    }
    const { moves } = draft;
    const isTimeUp = limits.isTimeUp();
    const after = figuresOf(cloud, null);
    draft.undo(point);
    return {
      moves: await inStages(cloud, moves, ask.maxMovesPerHost, limits.isTimeUp),
      unmovable,
      isReached,
      leastMoves,
      before,
      after,
      isTimeUp,
    };
  } finally {
    cloud.rollback(start);
  }
}
