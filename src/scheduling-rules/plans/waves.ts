// Rounds in which every host of a list is drained once and comes back open and empty. A host that is closed from the
// start stays closed.
import type { Plan, PlanAsk, PlanLimits, Unmovable, WavePlan, WaveRound } from './plan';
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
        await cloud.claim(instance, target);
        cloud.release(instance);
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

/** As many hosts as can be drained together: the one that keeps the most instances gives its place to the next one. */
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
    const stuck = mostStuck(cloud, chosen, answer);
    chosen = chosen.filter((host) => host !== stuck);
    const [other] = next.splice(0, 1);
    if (other !== undefined) chosen.push(other);
  }
}

function mostStuck(cloud: PlanCloud, chosen: readonly number[], { unmovable }: Plan): number {
  const counts = new Map<number, number>(chosen.map((host) => [host, 0]));
  for (const { instance } of unmovable) {
    const host = cloud.hostOf(instance) as number;
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return chosen.reduce((one, other) => ((counts.get(other) ?? 0) >= (counts.get(one) ?? 0) ? other : one));
}

/** The most hosts of the list that can be away together: by `atATime`, by groups that are kept apart, and by sums. */
function mostAway(cloud: PlanCloud, hosts: readonly number[], atATime: number): number {
  const { capacity, resources, used } = cloud;
  const taking = cloud.hosts.map((_, host) => host).filter((host) => cloud.hosts[host]?.closed === null);
  const isTaking = new Set(taking);
  /** Hosts of the list that take no instances leave no room. */
  const closed = hosts.filter((host) => !isTaking.has(host)).length;
  const members = new Map<string, number>();
  cloud.instances.forEach(({ groupUuid, groupMost }, instance) => {
    if (groupUuid === null || groupMost === null || !isTaking.has(cloud.hostOf(instance) ?? -1)) return;
    members.set(groupUuid, (members.get(groupUuid) ?? 0) + 1 / groupMost);
  });
  let most = Math.min(atATime, hosts.length);
  for (const count of members.values()) most = Math.min(most, closed + taking.length - Math.ceil(count - 1e-9));
  resources.forEach((_, column) => {
    const sumOf = (values: Float64Array): number =>
      taking.reduce((sum, host) => sum + (values[host * resources.length + column] as number), 0);
    let free = sumOf(capacity) - sumOf(used);
    const sizes = hosts
      .filter((host) => isTaking.has(host))
      .map((host) => capacity[host * resources.length + column] as number);
    const away = sizes.toSorted((one, other) => one - other).findIndex((size) => (free -= size) < 0);
    if (away >= 0) most = Math.min(most, closed + away);
  });
  return Math.max(0, most);
}
