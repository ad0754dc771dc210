// Rounds in which every host of a list is drained once and comes back open and empty. A host that is closed from the
// start stays closed.
import type { Plan, PlanAsk, PlanLimits, Unmovable, WavePlan } from './plan';
import type { PlanCloud } from './plan-cloud';
import { plan } from './planner';

/** Hosts that a round tries in the place of others, before it has fewer. */
const MOST_REPLACED = 4;

/** At most `atATime` hosts are away in a round; `maxMoves` bounds all rounds together. */
export async function planWaves(
  cloud: PlanCloud,
  hosts: readonly number[],
  atATime: number,
  ask: Omit<PlanAsk, 'goal'>,
  limits: PlanLimits,
): Promise<WavePlan> {
  const mark = cloud.mark();
  try {
    const most = mostAway(cloud, hosts, atATime);
    const rounds: WavePlan['rounds'][number][] = [];
    let unmovable: readonly Unmovable[] = [];
    // The emptiest first: they come back as room for the others.
    let waiting = hosts.toSorted((one, other) => cloud.instancesOn(one).length - cloud.instancesOn(other).length);
    let movesLeft = ask.maxMoves;
    /** Cannot be drained before another host has come back. */
    let postponed: readonly number[] = [];
    while (waiting.length > 0 && most > 0 && !limits.isTimeUp()) {
      let chosen = waiting.slice(0, most);
      const next = waiting.slice(most, most + MOST_REPLACED);
      const drain = (): Promise<Plan> =>
        plan(cloud, { ...ask, maxMoves: movesLeft, goal: { kind: 'drain', hosts: chosen } }, limits);
      let drained = await drain();
      // One that cannot be drained gives its place to the next one.
      while (!drained.isReached && !limits.isTimeUp() && chosen.length + next.length > 1) {
        const stuck = cloud.hostOf(drained.unmovable[0]?.instance ?? -1);
        chosen = [...chosen.filter((host) => host !== stuck), ...next.splice(0, 1)];
        drained = await drain();
      }
      waiting = waiting.filter((host) => !chosen.includes(host));
      if (!drained.isReached) {
        postponed = [...postponed, ...chosen];
        unmovable = drained.unmovable;
        continue;
      }
      for (const { instance, target } of drained.moves) {
        if (await cloud.claim(instance, target)) cloud.release(instance);
      }
      rounds.push({ hosts: chosen, plan: drained });
      if (movesLeft !== null) movesLeft -= drained.moves.length;
      waiting = [...waiting, ...postponed];
      postponed = [];
    }
    const left = [...waiting, ...postponed];
    const leastRounds = hosts.length === 0 ? 0 : most > 0 ? Math.ceil(hosts.length / most) : null;
    return {
      rounds,
      leastRounds,
      left,
      unmovable: left.length > 0 ? unmovable : [],
      isTimeUp: left.length > 0 && limits.isTimeUp(),
    };
  } finally {
    cloud.rollback(mark);
  }
}

/** The most hosts of the list that can be away together: by `atATime`, by groups that are kept apart, and by sums. */
function mostAway(cloud: PlanCloud, hosts: readonly number[], atATime: number): number {
  const { capacity, resources, used } = cloud;
  const isTaking = cloud.hosts.map(({ closed }) => closed === null);
  const taking = [...cloud.hosts.keys()].filter((host) => isTaking[host] === true);
  const listed = hosts.filter((host) => isTaking[host] === true);
  const members = new Map<string, number>();
  cloud.instances.forEach(({ groupUuid, groupMost }, instance) => {
    if (groupUuid === null || groupMost === null || isTaking[cloud.hostOf(instance) ?? -1] !== true) return;
    members.set(groupUuid, (members.get(groupUuid) ?? 0) + 1 / groupMost);
  });
  let away = listed.length;
  for (const count of members.values()) away = Math.min(away, taking.length - Math.ceil(count - 1e-9));
  resources.forEach((_, column) => {
    const of = (values: Float64Array, host: number): number => values[host * resources.length + column] as number;
    let free = taking.reduce((sum, host) => sum + of(capacity, host) - of(used, host), 0);
    const sizes = listed.map((host) => of(capacity, host)).toSorted((one, other) => one - other);
    const first = sizes.findIndex((size) => (free -= size) < 0);
    if (first >= 0) away = Math.min(away, first);
  });
  // Those that take no instances leave no room.
  return Math.max(0, Math.min(atATime, away + hosts.length - listed.length));
}
