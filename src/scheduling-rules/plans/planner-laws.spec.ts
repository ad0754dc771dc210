// The laws of the planner on seeded random clouds. BERTH_ROUNDS: clouds for each law.
import { env } from 'node:process';
import { type Random, randomIndex, seededRandom } from '../../platform/values/random';
import { endOf, faultsOf, fewestMoves, placesFor } from './judge.fixture';
import type { Plan, PlanAsk, PlanGoal } from './plan';
import { type Model, modelCloud } from './plan-cloud.fixture';
import { plan } from './planner';
import { FLAVORS, pick, randomAsk, randomModel } from './random-model.fixture';

const ROUNDS = Number(env['BERTH_ROUNDS'] ?? 40);
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
