// Rounds in which every host of a list is drained once and comes back open and empty. A host that is closed from the
// start stays closed.
import type { PlanAsk, PlanLimits, Unmovable, WavePlan, WaveRound } from './plan';
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
    const rounds: WaveRound[] = [];
    let unmovable: readonly Unmovable[] = [];
    // The emptiest first: they come back as room for the others.
    let waiting = hosts.toSorted((one, other) => cloud.instancesOn(one).length - cloud.instancesOn(other).length);
    let movesLeft = ask.maxMoves;
    /** Cannot be drained before another host has come back. */
    let postponed: readonly number[] = [];
    while (waiting.length > 0 && most > 0 && !limits.isTimeUp()) {
      const round = await nextRound(cloud, waiting, most, { ...ask, maxMoves: movesLeft }, limits);
      const chosen = new Set(round.hosts);
      waiting = waiting.filter((host) => !chosen.has(host));
      if (!round.plan.isReached) {
        postponed = [...postponed, ...round.hosts];
        unmovable = round.plan.unmovable;
        continue;
      }
      for (const { instance, target } of round.plan.moves) {
        if (await cloud.claim(instance, target)) cloud.release(instance);
      }
      rounds.push(round);
      if (movesLeft !== null) movesLeft -= round.plan.moves.length;
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

/** As many hosts as can be drained together: one that cannot be gives its place to the next one. */
async function nextRound(
  cloud: PlanCloud,
  waiting: readonly number[],
  most: number,
  ask: Omit<PlanAsk, 'goal'>,
  limits: PlanLimits,
): Promise<WaveRound> {
  let chosen = waiting.slice(0, most);
  const next = waiting.slice(most, most + MOST_REPLACED);
  for (;;) {
    const answer = await plan(cloud, { ...ask, goal: { kind: 'drain', hosts: chosen } }, limits);
    if (answer.isReached || limits.isTimeUp() || chosen.length + next.length === 1)
      return { hosts: chosen, plan: answer };
    const stuck = cloud.hostOf(answer.unmovable[0]?.instance ?? -1);
    chosen = [...chosen.filter((host) => host !== stuck), ...next.splice(0, 1)];
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
