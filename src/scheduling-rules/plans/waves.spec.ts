import { env } from 'node:process';
import { randomIndex, seededRandom } from '../../platform/values/random';
import { endOf, faultsOf } from './judge.fixture';
import type { PlanAsk, WavePlan } from './plan';
import { type Model, modelCloud } from './plan-cloud.fixture';
import { randomModel } from './random-model.fixture';
import { planWaves } from './waves';

const ROUNDS = Number(env['BERTH_ROUNDS'] ?? 20);
const LIMITS = { isTimeUp: () => false, pause: () => Promise.resolve() };
const ASK: Omit<PlanAsk, 'goal'> = {
  staying: new Set(),
  untouched: new Set(),
  maxMoves: null,
  maxMovesPerHost: 2,
  minGain: 0,
  seed: 1,
};

const host = (name: string, vcpu: number) => ({ name, capacity: { VCPU: vcpu } });
const instance = (name: string, on: string, vcpu: number) => ({ name, host: on, amounts: { VCPU: vcpu } });

/** Judges each round from where the rounds before leave the instances; no host is drained twice. */
async function judged(model: Model, hosts: readonly number[], atATime: number): Promise<WavePlan> {
  const cloud = modelCloud(model);
  const used = [...cloud.used];
  const waves = await planWaves(cloud, hosts, atATime, ASK, LIMITS);
  expect([...cloud.used]).toEqual(used);
  let now = model;
  for (const { hosts: drained, plan } of waves.rounds) {
    expect(drained.length).toBeLessThanOrEqual(atATime);
    const ask: PlanAsk = { ...ASK, goal: { kind: 'drain', hosts: drained } };
    for (let run = 0; run < 3; run += 1) expect(faultsOf(now, ask, plan, seededRandom(run))).toEqual([]);
    const end = endOf(now, plan);
    expect(end.filter((each) => drained.includes(each))).toEqual([]);
    now = {
      ...now,
      instances: now.instances.map((each, at) => ({ ...each, host: now.hosts[end[at] ?? -1]?.name ?? '' })),
    };
  }
  const done = waves.rounds.flatMap((round) => round.hosts);
  expect([...done, ...waves.left].toSorted()).toEqual(hosts.toSorted());
  if (waves.left.length === 0) expect(waves.rounds.length).toBeGreaterThanOrEqual(waves.leastRounds ?? Infinity);
  return waves;
}

it('drains as many hosts at a time as it is allowed', async () => {
  const model = {
    hosts: ['a', 'b', 'c', 'd'].map((name) => host(name, 8)),
    instances: ['a', 'b', 'c', 'd'].map((name) => instance(`on-${name}`, name, 2)),
  };
  const waves = await judged(model, [0, 1, 2, 3], 2);
  expect(waves).toMatchObject({ leastRounds: 2, left: [], unmovable: [], isTimeUp: false });
  expect(waves.rounds).toHaveLength(2);
});

it('drains fewer at a time if the others have no room for more', async () => {
  const model = {
    hosts: ['a', 'b', 'c'].map((name) => host(name, 6)),
    instances: ['a', 'b', 'c'].flatMap((name) => [instance(`1-${name}`, name, 2), instance(`2-${name}`, name, 2)]),
  };
  const waves = await judged(model, [0, 1, 2], 3);
  expect(waves).toMatchObject({ leastRounds: 3, left: [] });
  expect(waves.rounds).toHaveLength(3);
});

it('keeps a host for each member of a group that is kept apart', async () => {
  const model: Model = {
    hosts: ['a', 'b', 'c', 'd'].map((name) => host(name, 8)),
    instances: ['a', 'b', 'c'].map((name) => ({ ...instance(`on-${name}`, name, 1), group: 'db' })),
    groups: { db: 'anti-affinity' },
  };
  const waves = await judged(model, [0, 1, 2], 3);
  expect(waves).toMatchObject({ leastRounds: 3, left: [] });
  expect(waves.rounds.map(({ plan }) => plan.moves.map(({ reason }) => reason))).toEqual([
    ['keeps group db apart'],
    ['keeps group db apart'],
    ['keeps group db apart'],
  ]);
});

it('goes on with the others after a host that cannot be drained', async () => {
  const model = {
    hosts: [host('a', 10), host('b', 8), host('c', 8)],
    instances: [instance('large', 'a', 10), instance('small', 'b', 1), instance('other', 'b', 1)],
  };
  const waves = await judged(model, [0, 1], 1);
  expect(waves.rounds.map((round) => round.hosts)).toEqual([[1]]);
  expect(waves.left).toEqual([0]);
});

it('names the hosts that cannot be drained, and the reason', async () => {
  const model = { hosts: [host('a', 8), host('b', 4)], instances: [instance('large', 'a', 8)] };
  const waves = await judged(model, [0, 1], 1);
  expect(waves).toMatchObject({ left: [0], unmovable: [{ instance: 0, sentence: 'No host fits.' }] });
  expect(waves.rounds.map((round) => round.hosts)).toEqual([[1]]);
});

it('has proven rounds, each host once, and never fewer than the bound', async () => {
  let full = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = seededRandom(round);
    const model = randomModel(random, 6, 5);
    const hosts = model.hosts.map((_, at) => at).filter(() => random() < 0.7);
    const waves = await judged(model, hosts, 1 + randomIndex(random, 3));
    if (waves.left.length === 0) full += 1;
  }
  expect(full).toBeGreaterThan(ROUNDS / 4);
});
