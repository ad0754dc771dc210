// The laws of the planner on seeded random clouds. BERTH_ROUNDS: clouds for each law.
import { env } from 'node:process';
import { type Random, randomIndex, seededRandom } from '../../platform/values/random';
import { endOf, faultsOf, fewestMoves, placesFor } from './judge.fixture';
import type { Plan, PlanAsk, PlanGoal } from './plan';
import { type Model, modelCloud, type ModelInstance } from './plan-cloud.fixture';
import { plan } from './planner';
import { FLAVORS, pick, randomAsk, randomModel } from './random-model.fixture';

const ROUNDS = Number(env['BERTH_ROUNDS'] ?? 15);
const LIMITS = { isTimeUp: () => false, pause: () => Promise.resolve() };
const EXACT_MOVES = 6;

/** A rule is broken at some moment of one of five random runs; another plan for the same seed; the cloud is changed. */
async function judged(model: Model, ask: PlanAsk, label: string): Promise<Plan> {
  const cloud = modelCloud(model);
  const used = [...cloud.used];
  const answer = await plan(cloud, ask, LIMITS);
  for (let run = 0; run < 5; run += 1) {
    expect([label, ...faultsOf(model, ask, answer, seededRandom(run))]).toEqual([label]);
  }
  expect([label, await plan(modelCloud(model), ask, LIMITS)]).toEqual([label, answer]);
  expect([label, ...cloud.used]).toEqual([label, ...used]);
  expect(answer.moves.length).toBeGreaterThanOrEqual(answer.leastMoves ?? 0);
  return answer;
}

function eachCloud(
  law: string,
  goalOf: (random: Random, model: Model) => PlanGoal,
  test: (model: Model, ask: PlanAsk, label: string) => Promise<void>,
  size: readonly [number, number] = [6, 9],
): void {
  it(law, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = seededRandom(round);
      const model = randomModel(random, ...size);
      const ask = randomAsk(random, model, goalOf(random, model));
      await test(model, ask, `seed ${round}`);
    }
  });
}

const drainOf = (random: Random, { hosts }: Model): PlanGoal => {
  const first = randomIndex(random, hosts.length);
  const second = randomIndex(random, hosts.length);
  return { kind: 'drain', hosts: random() < 0.3 && first !== second ? [first, second] : [first] };
};
const roomOf = (random: Random): PlanGoal => ({
  kind: 'room',
  flavor: pick(random, FLAVORS),
  count: 1 + randomIndex(random, 4),
});

/** A plan exists if there is one of at most six moves, and has at most twice the fewest. */
function checkFewest(
  model: Model,
  ask: PlanAsk,
  label: string,
  answer: Plan,
  isReached: (hosts: readonly number[]) => boolean,
): void {
  const most = Math.min(EXACT_MOVES, ask.maxMoves ?? EXACT_MOVES);
  const fewest = fewestMoves(model, ask, isReached, most);
  expect([label, answer.isReached, isReached(endOf(model, answer))]).toEqual([
    label,
    fewest !== null || answer.isReached,
    answer.isReached,
  ]);
  if (fewest === null) return;
  expect([label, answer.moves.length <= 2 * fewest, (answer.leastMoves ?? 0) <= fewest]).toEqual([label, true, true]);
}

eachCloud(
  'a drain leaves nothing if any plan of six moves does, with at most twice the moves',
  drainOf,
  async (model, ask, label) => {
    const answer = await judged(model, ask, label);
    const drained = ask.goal.kind === 'drain' ? ask.goal.hosts : [];
    checkFewest(model, ask, label, answer, (hosts) => !hosts.some((host) => drained.includes(host)));
    const end = endOf(model, answer);
    const left = end.flatMap((host, instance) => (drained.includes(host) ? [instance] : []));
    expect([label, ...answer.unmovable.map(({ instance }) => instance).toSorted((one, other) => one - other)]).toEqual([
      label,
      ...left,
    ]);
  },
);

eachCloud(
  'room for a count is made if any plan of six moves does, with at most twice the moves',
  roomOf,
  async (model, ask, label) => {
    const answer = await judged(model, ask, label);
    const { flavor, count } = ask.goal as { flavor: (typeof FLAVORS)[number]; count: number };
    checkFewest(model, ask, label, answer, (hosts) => placesFor(model, hosts, flavor) >= count);
    const places = [answer.before.places, answer.after.places];
    const start = model.instances.map(({ host }) => model.hosts.findIndex(({ name }) => name === host));
    expect([label, ...places]).toEqual([
      label,
      placesFor(model, start, flavor),
      placesFor(model, endOf(model, answer), flavor),
    ]);
  },
);

/** The standard deviation of the classes' use over hosts, or zones, that take instances, in percent points. */
function deviationOf(model: Model, ask: PlanAsk, hosts: readonly number[]): number {
  const { classes, over } = ask.goal as Extract<PlanGoal, { kind: 'balance' }>;
  const units = new Map<string, number[]>();
  model.hosts.forEach(({ name, zone, closed }, host) => {
    if (closed !== undefined || ask.untouched.has(host)) return;
    const unit = over === 'zones' ? (zone ?? '') : name;
    units.set(unit, [...(units.get(unit) ?? []), host]);
  });
  const variances = classes.map((each) => {
    const uses = [...units.values()].map((of) => {
      const used = model.instances.reduce(
        (sum, { amounts }, at) => sum + (of.includes(hosts[at] ?? -1) ? (amounts[each] ?? 0) : 0),
        0,
      );
      return used / of.reduce((sum, host) => sum + (model.hosts[host]?.capacity[each] ?? 0), 0);
    });
    const mean = uses.reduce((sum, use) => sum + use, 0) / Math.max(1, uses.length);
    return uses.reduce((sum, use) => sum + (use - mean) ** 2, 0) / Math.max(1, uses.length);
  });
  return 100 * Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0) / classes.length);
}

const startOf = (model: Model): readonly number[] =>
  model.instances.map(({ host }) => model.hosts.findIndex(({ name }) => name === host));

const balanceOf = (random: Random): PlanGoal => ({
  kind: 'balance',
  classes: pick(random, [['VCPU'], ['RAM'], ['VCPU', 'RAM']]),
  over: pick(random, ['hosts', 'hosts', 'zones']),
});

eachCloud(
  'a balance lowers the deviation with every move, and no single move is left that lowers it',
  balanceOf,
  async (model, ask, label) => {
    const answer = await judged(model, ask, label);
    const [before, after] = [startOf(model), endOf(model, answer)].map((hosts) => deviationOf(model, ask, hosts)) as [
      number,
      number,
    ];
    if (answer.moves.length > 0) expect([label, after < before]).toEqual([label, true]);
    if (answer.moves.length === ask.maxMoves) return;
    const moved = {
      ...model,
      instances: model.instances.map((each, at) => ({
        ...each,
        host: model.hosts[endOf(model, answer)[at] ?? 0]?.name ?? '',
      })),
    };
    // What runs on a closed host is no part of the balance.
    const isOut = ({ host }: ModelInstance): boolean =>
      model.hosts.some(({ name, closed }) => name === host && closed !== undefined);
    const out = model.instances.map((_, at) => at).filter((at) => isOut(model.instances[at] as ModelInstance));
    const staying = new Set([...ask.staying, ...out]);
    const isBetter = (hosts: readonly number[]): boolean => deviationOf(model, ask, hosts) < after - 0.01;
    expect([label, fewestMoves(moved, { ...ask, staying }, isBetter, 1)]).toEqual([label, null]);
  },
);

eachCloud(
  'a balance gains at least the least gain if any plan of four moves does',
  balanceOf,
  async (model, ask, label) => {
    const demanding: PlanAsk = { ...ask, maxMoves: Math.min(4, ask.maxMoves ?? 4), minGain: 4 };
    const answer = await judged(model, demanding, label);
    const before = deviationOf(model, ask, startOf(model));
    const gains = (hosts: readonly number[]): boolean => deviationOf(model, ask, hosts) <= before - 4;
    const fewest = fewestMoves(model, demanding, gains, demanding.maxMoves ?? 4);
    expect([label, answer.moves.length > 0]).toEqual([label, fewest !== null]);
    if (fewest !== null) expect([label, gains(endOf(model, answer))]).toEqual([label, true]);
  },
);

const emptyHosts = (model: Model, hosts: readonly number[]): number => model.hosts.length - new Set(hosts).size;

eachCloud(
  'a packing empties as many hosts as any plan of six moves, with at most twice the moves',
  () => ({ kind: 'pack', flavor: null }),
  async (model, ask, label) => {
    const answer = await judged(model, ask, label);
    const emptied = emptyHosts(model, endOf(model, answer));
    expect([label, answer.after.emptyHosts]).toEqual([label, emptied]);
    const most = Math.min(EXACT_MOVES, ask.maxMoves ?? EXACT_MOVES);
    expect([label, fewestMoves(model, ask, (hosts) => emptyHosts(model, hosts) > emptied, most)]).toEqual([
      label,
      null,
    ]);
    const fewest = fewestMoves(model, ask, (hosts) => emptyHosts(model, hosts) >= emptied, most);
    if (fewest !== null) expect([label, answer.moves.length <= 2 * fewest]).toEqual([label, true]);
  },
  [5, 7],
);

eachCloud(
  'a packing for a flavor makes as many places as any plan of four moves',
  (random) => ({ kind: 'pack', flavor: pick(random, FLAVORS) }),
  async (model, ask, label) => {
    const answer = await judged(model, ask, label);
    const { flavor } = ask.goal as { flavor: (typeof FLAVORS)[number] };
    const places = placesFor(model, endOf(model, answer), flavor);
    const most = Math.min(4, ask.maxMoves ?? 4);
    expect([label, fewestMoves(model, ask, (hosts) => placesFor(model, hosts, flavor) > places, most)]).toEqual([
      label,
      null,
    ]);
  },
  [5, 7],
);

eachCloud(
  'a plan that ends because the time is up breaks no rule either',
  (random, model) =>
    pick(random, [drainOf, roomOf, balanceOf, (): PlanGoal => ({ kind: 'pack', flavor: null })])(random, model),
  async (model, ask, label) => {
    for (const calls of [0, 1, 3, 10, 30]) {
      let left = calls;
      const limits = { ...LIMITS, isTimeUp: () => (left -= 1) < 0 };
      const answer = await plan(modelCloud(model), ask, limits);
      const faults = [1, 2, 3].flatMap((run) => faultsOf(model, ask, answer, seededRandom(run)));
      expect([label, calls, ...faults]).toEqual([label, calls]);
      if (left < 0 && answer.moves.length === 0 && !answer.isReached)
        expect([label, answer.isTimeUp]).toEqual([label, true]);
    }
  },
);

eachCloud(
  'a plan of a larger cloud breaks no rule',
  (random, model) =>
    pick(random, [drainOf, roomOf, balanceOf, (): PlanGoal => ({ kind: 'pack', flavor: null })])(random, model),
  async (model, ask, label) => {
    await judged(model, { ...ask, maxMoves: null }, label);
  },
  [30, 90],
);
