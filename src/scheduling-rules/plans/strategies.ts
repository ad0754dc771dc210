// What a search does for each goal, how good a state of the draft is, and how few moves can reach it.
import type { Random } from '../../platform/values/random';
import { Balance } from './balance';
import type { Draft } from './draft';
import { drain } from './drain';
import type { ExactStates } from './exact-search';
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
  /** From a state of an exact search, no fewer moves than this reach the score; 0: it is reached. */
  leastFrom(states: ExactStates, score: number): number | Promise<number>;
  /** From the empty draft, no fewer moves than this reach the score; null: no bound is known. */
  leastMoves(score: number): number | null;
  /** Of moves that an exact search has found. */
  readonly exactReason: string;
  /** Of the flavor, if there is one. */
  readonly places?: Places;
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
      return roomStrategy(draft, goal.flavor, goal.count);
    case 'pack':
      return goal.flavor === null ? packStrategy(draft) : roomStrategy(draft, goal.flavor, null);
  }
}

function drainStrategy(draft: Draft, hosts: readonly number[]): Strategy {
  const left = (): number => sumOf(hosts, (host) => draft.movableOn(host).length);
  const all = left();
  return {
    search: (random) => drain(draft, hosts, random),
    score: () => all - left(),
    next: (score) => (score < all ? score + 1 : null),
    leastFrom: (states, score) => sumOf(hosts, (host) => states.movableOn(host).length) - (all - score),
    leastMoves: (score) => score,
    exactReason: 'one of the fewest moves that empty the hosts',
  };
}

function balanceStrategy(balance: Balance, minGain: number): Strategy {
  const start = -balance.deviation();
  return {
    search: (random, spread) => balance.run(random, spread),
    score: () => -balance.deviation(),
    next: (score) => (score < start + minGain ? start + minGain : null),
    leastFrom: ({ used }, score) => (-balance.deviation(used) >= score ? 0 : 1),
    leastMoves: (score) => (score > start ? 1 : 0),
    exactReason: 'one of the fewest moves that even the use so far',
  };
}

function packStrategy(draft: Draft): Strategy {
  const { cloud } = draft;
  const hosts = [...cloud.hosts.keys()];
  const emptied = (): number => hosts.filter((host) => cloud.instancesOn(host).length === 0).length;
  const counts = hosts.map((host) => cloud.instancesOn(host).length);
  const canBeEmpty = hosts.map((host) => counts[host] === draft.movableOn(host).length);
  /** Instances that must leave the emptiest hosts until `score` hosts are empty. */
  const leaving = (score: number, countOn: (host: number) => number): number => {
    const ordered = hosts.map((host) => (canBeEmpty[host] === true ? countOn(host) : Infinity));
    return sumOf(ordered.toSorted((one, other) => one - other).slice(0, score), (count) => count);
  };
  return {
    search: (random, spread) => pack(draft, random, spread),
    score: emptied,
    next: (score) => (score < hosts.length ? score + 1 : null),
    leastFrom: (states, score) => leaving(score, (host) => states.movableOn(host).length),
    leastMoves: (score) => leaving(score, (host) => counts[host] as number),
    exactReason: 'one of the fewest moves that empty so many hosts',
  };
}

async function roomStrategy(draft: Draft, flavor: object | string, count: number | null): Promise<Strategy> {
  const hosts = [...draft.cloud.hosts.keys()];
  const wanted = count ?? Infinity;
  const places = await Places.of(draft, flavor, hosts.length <= FEW_HOSTS || wanted <= JUDGED_PLACES);
  const bySums = sumOf(hosts, (host) => places.countBySums(host));
  const costs = hosts.flatMap((host) => costsOfPlaces(draft, places, host)).toSorted((one, other) => one - other);
  return {
    search: async (random, spread) => makeRoom(places, wanted - (await places.total(wanted)), random, spread),
    score: () => places.total(wanted),
    next: (score) => (score < wanted && costs.length > 0 ? score + 1 : null),
    leastFrom: async (states, score) => ((await states.countPlaces(places, score)) >= score ? 0 : 1),
    leastMoves(score) {
      const missing = Math.max(0, score - bySums);
      return missing > costs.length ? null : Math.ceil(sumOf(costs.slice(0, missing), (cost) => cost) - 1e-9);
    },
    exactReason: `one of the fewest moves that make room for ${places.label}`,
    places,
  };
}

const sumOf = (items: readonly number[], of: (item: number) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** For each place that the host can gain, the departures that it takes at least: by the sums, the largest amounts first. */
function costsOfPlaces(draft: Draft, places: Places, host: number): readonly number[] {
  const leaving = draft.isTarget(host) ? draft.movableOn(host).map((each) => draft.amountsOf(each)) : [];
  const amounts = places.need.map((_, column) =>
    leaving.map((each) => each[column] as number).sort((one, other) => other - one),
  );
  const more = places.need.map(() => 0);
  const start = places.countBySums(host);
  let [cheapest, gain] = [Infinity, 0];
  for (let moves = 1; moves <= leaving.length; moves += 1) {
    amounts.forEach((ordered, column) => ((more[column] as number) -= ordered[moves - 1] as number));
    gain = places.countBySums(host, more) - start;
    if (gain > 0) cheapest = Math.min(cheapest, moves / gain);
  }
  return Array.from({ length: gain }, () => cheapest);
}
