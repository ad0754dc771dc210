// Questions to the scheduler at scale: few for each move. BERTH_HOSTS: hosts of the cloud; BERTH_PER_HOST: instances on
// each; BERTH_ASK_MS, BERTH_LIMIT_MS: how long a question and a plan take. With BERTH_HOSTS, the figures are printed.
import { env } from 'node:process';
import { seededRandom } from '../../platform/values/random';
import type { Plan, PlanAsk, PlanGoal } from './plan';
import { type Model, modelCloud, type ModelInstance } from './plan-cloud.fixture';
import { plan } from './planner';
import { pick } from './random-model.fixture';

const HOSTS = Number(env['BERTH_HOSTS'] ?? 150);
const PER_HOST = Number(env['BERTH_PER_HOST'] ?? 20);
const ASK_MS = Number(env['BERTH_ASK_MS'] ?? 0);
const LIMIT_MS = Number(env['BERTH_LIMIT_MS'] ?? Infinity);
const FACTOR = PER_HOST / 20;
const FLAVORS = [
  { amounts: { VCPU: 1, RAM: 2, DISK: 10 } },
  { amounts: { VCPU: 2, RAM: 4, DISK: 20 } },
  { amounts: { VCPU: 4, RAM: 8, DISK: 40 } },
  { amounts: { VCPU: 2, RAM: 8, DISK: 10 }, traits: ['SSD'] },
  { amounts: { VCPU: 8, RAM: 16, DISK: 80 }, zone: 'z1' },
];
const BIG = { amounts: { VCPU: 90 * FACTOR, RAM: 100 * FACTOR, DISK: 500 * FACTOR } };

/** Three zones, half of the hosts with a trait, a tenth of the instances in groups; the first hosts are the fullest. */
function largeModel(): Model {
  const random = seededRandom(7);
  const hosts = Array.from({ length: HOSTS }, (_, at) => ({
    name: `h${at}`,
    capacity: { VCPU: 96 * FACTOR, RAM: 192 * FACTOR, DISK: 1_000 * FACTOR },
    zone: `z${at % 3}`,
    traits: at % 2 === 0 ? ['SSD'] : [],
  }));
  const instances: ModelInstance[] = [];
  const used = hosts.map(() => 0);
  const groups: Record<string, 'anti-affinity'> = {};
  while (instances.length < PER_HOST * HOSTS) {
    const at = instances.length;
    const flavor = pick(random, FLAVORS);
    const host = Math.floor(HOSTS * random() ** 1.3);
    const of = hosts[host];
    if (of === undefined || (used[host] ?? 0) + flavor.amounts.VCPU > 88 * FACTOR) continue;
    if (flavor.zone !== undefined && flavor.zone !== of.zone) continue;
    if (flavor.traits !== undefined && of.traits.length === 0) continue;
    used[host] = (used[host] ?? 0) + flavor.amounts.RAM / 2;
    if (at % 10 === 0) groups[`g${at}`] = 'anti-affinity';
    instances.push({ ...flavor, name: `i${at}`, host: of.name, ...(at % 10 === 0 ? { group: `g${at}` } : {}) });
  }
  return { hosts, instances, groups };
}

const model = largeModel();

async function measured(goal: PlanGoal, maxMoves: number | null): Promise<{ answer: Plan; asked: number }> {
  const ask: PlanAsk = {
    goal,
    staying: new Set(),
    untouched: new Set(),
    maxMoves,
    maxMovesPerHost: 2,
    minGain: 0,
    seed: 1,
  };
  const cloud = modelCloud(model);
  const wait = (): void => {
    for (const until = performance.now() + ASK_MS; performance.now() < until;);
  };
  const asked: typeof cloud = {
    ...cloud,
    targets: (instance) => (wait(), cloud.targets(instance)),
    fits: (instance, host) => (wait(), cloud.fits(instance, host)),
    claim: (instance, host) => (wait(), cloud.claim(instance, host)),
  };
  const start = performance.now();
  const isTimeUp = (): boolean => performance.now() - start > LIMIT_MS;
  const answer = await plan(asked, ask, { isTimeUp, pause: () => Promise.resolve() });
  const { moves, leastMoves, before, after } = answer;
  const { targets, fits, claims } = cloud.questions;
  if (env['BERTH_HOSTS'] !== undefined) {
    const ms = Math.round(performance.now() - start);
    const figures = {
      ms,
      moves: moves.length,
      leastMoves,
      stages: (moves.at(-1)?.stage ?? -1) + 1,
      targets,
      fits,
      claims,
    };
    process.stderr.write(`${JSON.stringify({ ...goal, ...figures, isTimeUp: answer.isTimeUp, before, after })}\n`);
  }
  return { answer, asked: targets + fits + claims };
}

it('drains hosts with three questions for a move at most', async () => {
  const hosts = Array.from({ length: Math.ceil(HOSTS / 25) }, (_, at) => at * 25);
  const { answer, asked } = await measured({ kind: 'drain', hosts }, null);
  expect(answer.isReached).toBe(true);
  expect(asked).toBeLessThan(3 * answer.moves.length);
});

it.each<PlanGoal>([
  { kind: 'balance', classes: ['VCPU'], over: 'hosts' },
  { kind: 'balance', classes: ['VCPU', 'RAM'], over: 'zones' },
  { kind: 'pack', flavor: null },
])('makes %j with four questions for a move at most', async (goal) => {
  const { answer, asked } = await measured(goal, HOSTS / 2);
  expect(answer.moves.length).toBeGreaterThan(HOSTS / 8);
  expect(asked).toBeLessThan(4 * answer.moves.length);
});

it.each([10, null])('makes %j places where few instances must leave', async (count) => {
  const { answer, asked } = await measured({ kind: 'room', flavor: BIG, count }, null);
  expect(answer.after.places).toBeGreaterThanOrEqual(3);
  expect(answer.moves.length).toBeLessThan(1.5 * (answer.leastMoves ?? 0));
  expect(asked).toBeLessThan(40 * answer.moves.length);
});

if (env['BERTH_HOSTS'] !== undefined) {
  it.each<PlanGoal>([
    { kind: 'balance', classes: ['VCPU', 'RAM'], over: 'hosts' },
    { kind: 'pack', flavor: null },
  ])('ends %j without a bound of moves', async (goal) => {
    expect((await measured(goal, null)).answer.moves.length).toBeGreaterThan(0);
  });
}
