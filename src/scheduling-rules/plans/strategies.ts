// What a search does for each goal, how good a state of the draft is, and how few moves can reach it.
import type { Random } from '../../platform/values/random';
import { Balance } from './balance';
import type { Draft } from './draft';
import { drain } from './drain';
import type { ExactGoal } from './exact-search';
import { pack } from './pack';
import { Places } from './places';
import type { PlanGoal } from './plan';
import { makeRoom } from './room';

export interface Strategy {
  /** Fills the empty draft; `spread` above 0: other choices by chance. */
  search(random: Random, spread: number): Promise<void>;
  /** Of the draft now; more is better. Its rise is the gain. */
  score(): number | Promise<number>;
  /** The next better score that an exact search tries; null: none is asked for. */
  next(score: number): number | null;
  exactGoal(score: number): ExactGoal;
  /** From the empty draft, no fewer moves than this reach the score; null: no bound is known. */
  leastMoves(score: number): number | null;
  /** Of moves that an exact search has found. */
  readonly exactReason: string;
  /** Of the flavor; null: there is none. */
  readonly places: Places | null;
}

/** Above, the sums count the places, and a search runs once. */
export const FEW_HOSTS = 32;
const JUDGED_PLACES = 300;

export async function strategyFor(draft: Draft, goal: PlanGoal, minGain: number): Promise<Strategy> {
  switch (goal.kind) {
    case 'drain':
      return drainStrategy(draft, goal.hosts);
    case 'balance':
      return balanceStrategy(new Balance(draft, goal.classes, goal.over), minGain);
    case 'room':
      return roomStrategy(draft, goal.count, await placesFor(draft, goal.flavor, goal.count));
    case 'pack':
      if (goal.flavor !== null) return roomStrategy(draft, null, await placesFor(draft, goal.flavor, null));
      return packStrategy(draft);
  }
}

const placesFor = (draft: Draft, flavor: object | string, count: number | null): Promise<Places> =>
  Places.of(draft, flavor, draft.cloud.hosts.length <= FEW_HOSTS || (count !== null && count <= JUDGED_PLACES));

function drainStrategy(draft: Draft, hosts: readonly number[]): Strategy {
  const left = (): number => hosts.reduce((sum, host) => sum + draft.movableOn(host).length, 0);
  const all = left();
  return {
    search: (random) => drain(draft, hosts, random),
    score: () => all - left(),
    next: (score) => (score < all ? score + 1 : null),
    exactGoal: (score) => ({
      least: (states) => hosts.reduce((sum, host) => sum + states.movableOn(host).length, 0) - (all - score),
    }),
    leastMoves: (score) => score,
    exactReason: 'one of the fewest moves that empty the hosts',
    places: null,
  };
}

function balanceStrategy(balance: Balance, minGain: number): Strategy {
  const start = -balance.deviation();
  return {
    search: (random, spread) => balance.run(random, spread),
    score: () => -balance.deviation(),
    next: (score) => (score < start + minGain ? start + minGain : null),
    exactGoal: (score) => ({ least: (states) => (-balance.deviation(states.used) >= score ? 0 : 1) }),
    leastMoves: (score) => (score > start ? 1 : 0),
    exactReason: 'one of the fewest moves that even the use so far',
    places: null,
  };
}

function packStrategy(draft: Draft): Strategy {
  const { cloud } = draft;
  const emptied = (): number => cloud.hosts.filter((_, host) => cloud.instancesOn(host).length === 0).length;
  const start = emptied();
  const countsAtStart = cloud.hosts.map((_, host) => cloud.instancesOn(host).length);
  /** Instances that must leave the emptiest hosts until `score` hosts are empty. */
  const leaving = (score: number, countOn: (host: number) => number): number => {
    const counts = cloud.hosts.map((_, host) => countOn(host)).toSorted((one, other) => one - other);
    return counts.slice(0, score).reduce((sum, count) => sum + count, 0);
  };
  const stuckOn = cloud.hosts.map((_, host) => (countsAtStart[host] as number) - draft.movableOn(host).length);
  return {
    search: (random, spread) => pack(draft, random, spread),
    score: emptied,
    next: (score) => (score < cloud.hosts.length ? score + 1 : null),
    exactGoal: (score) => ({
      least: (states) => leaving(score, (host) => (stuckOn[host] === 0 ? states.movableOn(host).length : Infinity)),
    }),
    leastMoves: (score) => (score > start ? leaving(score, (host) => countsAtStart[host] as number) : 0),
    exactReason: 'one of the fewest moves that empty so many hosts',
    places: null,
  };
}

function roomStrategy(draft: Draft, count: number | null, places: Places): Strategy {
  const { cloud } = draft;
  const wanted = count ?? Infinity;
  const most = mostGained(draft, places);
  const bySums = cloud.hosts.reduce((sum, _, host) => sum + places.countBySums(host), 0);
  const costs = cloud.hosts.flatMap((_, host) => costOfPlaces(draft, places, host) ?? []);
  const least = (missing: number): number => Math.ceil(Math.max(0, missing) / most);
  return {
    async search(random, spread) {
      const missing = wanted - (await places.total(wanted));
      await makeRoom(draft, places, missing, random, spread);
    },
    score: () => places.total(wanted),
    next: (score) => (score < wanted && most > 0 ? score + 1 : null),
    exactGoal: (score) => ({
      async least(states) {
        let sum = 0;
        for (let host = 0; host < cloud.hosts.length && sum < score; host += 1) {
          sum += await states.placesOn(host, places.added);
        }
        return least(score - sum);
      },
    }),
    leastMoves: (score) => leastLeaving(costs, score - bySums),
    exactReason: `one of the fewest moves that make room for ${places.label}`,
    places,
  };
}

/** The most places that one departure can free: by the class of which an instance frees the most. */
function mostGained(draft: Draft, { need }: Places): number {
  let most = 0;
  for (const instance of draft.cloud.hosts.flatMap((_, host) => draft.movableOn(host))) {
    draft.amountsOf(instance).forEach((amount, column) => {
      if ((need[column] as number) > 0) most = Math.max(most, Math.ceil(amount / (need[column] as number)));
    });
  }
  return most;
}

/** The least number of departures from a host for a place more on it, and the most places more. */
interface PlaceCost {
  readonly moves: number;
  readonly most: number;
}

/** By the sums, each class for itself: the largest amounts leave first. Null: the host cannot gain a place. */
function costOfPlaces(draft: Draft, places: Places, host: number): PlaceCost | null {
  if (!draft.isTarget(host)) return null;
  const leaving = draft.movableOn(host).map((each) => draft.amountsOf(each));
  const freed = places.need.map((_, column) => {
    let sum = 0;
    const amounts = leaving.map((each) => each[column] as number).toSorted((one, other) => other - one);
    return [0, ...amounts.map((amount) => (sum += amount))];
  });
  const start = places.countBySums(host);
  let [cheapest, most] = [Infinity, 0];
  for (let moves = 1; moves <= leaving.length; moves += 1) {
    const less = freed.map((sums) => -(sums[moves] as number));
    most = places.countWith(host, less) - start;
    if (most > 0) cheapest = Math.min(cheapest, moves / most);
  }
  return most > 0 ? { moves: cheapest, most } : null;
}

/** Each place costs at least what it costs on the cheapest hosts. */
function leastLeaving(costs: readonly PlaceCost[], missing: number): number | null {
  let left = missing;
  let sum = 0;
  for (const { moves, most } of costs.toSorted((one, other) => one.moves - other.moves)) {
    if (left <= 0) break;
    sum += moves * Math.min(left, most);
    left -= most;
  }
  return left > 0 ? null : Math.ceil(sum - 1e-9);
}
