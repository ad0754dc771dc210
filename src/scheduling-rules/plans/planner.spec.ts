import { seededRandom } from '../../platform/values/random';
import { endOf, faultsOf } from './judge.fixture';
import type { Plan, PlanAsk, PlanGoal } from './plan';
import { type Model, modelCloud } from './plan-cloud.fixture';
import { plan } from './planner';

const LIMITS = { isTimeUp: () => false, pause: () => Promise.resolve() };

const askFor = (goal: PlanGoal, more: Partial<PlanAsk> = {}): PlanAsk => ({
  goal,
  staying: new Set(),
  untouched: new Set(),
  maxMoves: null,
  maxMovesPerHost: 2,
  minGain: 0,
  seed: 1,
  ...more,
});

/** Plans, and lets the judge run the plan ten times. */
async function judged(model: Model, ask: PlanAsk): Promise<Plan> {
  const answer = await plan(modelCloud(model), ask, LIMITS);
  for (let run = 0; run < 10; run += 1) {
    expect(faultsOf(model, ask, answer, seededRandom(run))).toEqual([]);
  }
  return answer;
}

const host = (name: string, vcpu: number) => ({ name, capacity: { VCPU: vcpu } });
const instance = (name: string, on: string, vcpu: number) => ({ name, host: on, amounts: { VCPU: vcpu } });

describe('a drain', () => {
  const model: Model = {
    hosts: [host('a', 8), host('b', 8), host('c', 8)],
    instances: [instance('i1', 'a', 4), instance('i2', 'a', 2), instance('i3', 'b', 4), instance('i4', 'c', 2)],
  };

  it('moves every instance of the host to the best hosts with room', async () => {
    const answer = await judged(model, askFor({ kind: 'drain', hosts: [0] }));
    expect(answer).toMatchObject({ isReached: true, leastMoves: 2, unmovable: [], isTimeUp: false });
    expect(answer.moves.map(({ instance: moved, target, reason }) => [moved, target, reason])).toEqual([
      [0, 2, 'the best weighed host with room'],
      [1, 1, 'the best weighed host with room'],
    ]);
    expect(endOf(model, answer)).not.toContain(0);
  });

  it('leaves the cloud as it was', async () => {
    const cloud = modelCloud(model);
    const used = [...cloud.used];
    await plan(cloud, askFor({ kind: 'drain', hosts: [0] }), LIMITS);
    expect([...cloud.used]).toEqual(used);
    expect((await cloud.targets(3)).hosts).toEqual([1, 0]);
  });

  it('lets another instance go first if no host has room', async () => {
    const full: Model = {
      hosts: [host('a', 8), host('b', 8), host('c', 8)],
      instances: [instance('i1', 'a', 6), instance('i2', 'b', 4), instance('i3', 'c', 4)],
    };
    const answer = await judged(full, askFor({ kind: 'drain', hosts: [0] }));
    expect(answer.isReached).toBe(true);
    expect(answer.moves.map(({ instance: moved, after }) => [moved, after])).toEqual([
      [1, []],
      [0, [0]],
    ]);
  });
});

describe('what stays on a drained host', () => {
  /** One instance on the host `a`, which is drained, and an empty host `b`. */
  const one = (more: Partial<Model['instances'][number]>): Model => ({
    hosts: [host('a', 8), host('b', 8)],
    instances: [{ ...instance('i1', 'a', 4), ...more }],
  });
  const drainA: PlanGoal = { kind: 'drain', hosts: [0] };

  it.each<[string, Model, PlanAsk, string]>([
    ['fixed', one({ fixed: 'The instance is being moved.' }), askFor(drainA), 'The instance is being moved.'],
    [
      'asked to stay',
      one({}),
      askFor(drainA, { staying: new Set([0]) }),
      'The instance must stay: the plan was asked so.',
    ],
    [
      'on a host that is left alone',
      one({}),
      askFor(drainA, { untouched: new Set([0]) }),
      'Its host must be left alone: the plan was asked so.',
    ],
    [
      'without another host that can be used',
      one({}),
      askFor(drainA, { untouched: new Set([1]) }),
      'Only hosts that must be left alone have room.',
    ],
    ['refused by the scheduler', one({ amounts: { VCPU: 4 }, zone: 'z' }), askFor(drainA), 'No host fits.'],
    ['beyond the bound', one({}), askFor(drainA, { maxMoves: 0 }), 'The plan has its 0 moves already.'],
  ])('names an instance that is %s', async (_, model, ask, sentence) => {
    const zoned = { ...model, hosts: model.hosts.map((each, at) => (at === 0 ? { ...each, zone: 'z' } : each)) };
    const answer = await judged(zoned, ask);
    expect(answer).toMatchObject({ isReached: false, moves: [], unmovable: [{ instance: 0, sentence }] });
  });

  it('names a group that keeps its members on one host', async () => {
    const members = ['i1', 'i2'].map((name) => ({ ...instance(name, 'a', 1), group: 'joined' }));
    const model: Model = { ...one({}), instances: members, groups: { joined: 'affinity' } };
    const answer = await judged(model, askFor(drainA));
    expect(answer.moves).toEqual([]);
    expect(answer.unmovable.map(({ sentence }) => sentence)).toEqual(
      Array(2).fill('Group joined keeps its 2 members on one host, so none of them can leave it alone.'),
    );
  });

  it('empties hosts one by one if the moves do not suffice for all', async () => {
    const model: Model = {
      hosts: [host('a', 8), host('b', 8), host('c', 16)],
      instances: [...[1, 2, 3].map((at) => instance(`a${at}`, 'a', 2)), instance('b1', 'b', 1), instance('b2', 'b', 1)],
    };
    const answer = await judged(model, askFor({ kind: 'drain', hosts: [0, 1] }, { maxMoves: 3 }));
    expect(endOf(model, answer)).toEqual([2, 0, 0, 2, 2]);
  });
});

describe('room', () => {
  const flavor = { name: 'big', amounts: { VCPU: 8 } };
  const model: Model = {
    hosts: [host('a', 8), host('b', 8), host('c', 8)],
    instances: [instance('a1', 'a', 2), instance('a2', 'a', 2), instance('b1', 'b', 3), instance('c1', 'c', 3)],
  };

  it('is made with the fewest moves, where they gain the most', async () => {
    const answer = await judged(model, askFor({ kind: 'room', flavor, count: 1 }));
    expect(answer).toMatchObject({ isReached: true, leastMoves: 1, before: { places: 0 }, after: { places: 1 } });
    expect(answer.moves).toHaveLength(1);
    expect(answer.moves[0]?.reason).toMatch(/makes? room for (1 of )?flavor big/);
  });

  it('needs no move if the flavor fits', async () => {
    const answer = await judged(model, askFor({ kind: 'room', flavor: { amounts: { VCPU: 5 } }, count: 2 }));
    expect(answer).toMatchObject({
      isReached: true,
      leastMoves: 0,
      moves: [],
      before: { places: 2 },
      after: { places: 2 },
    });
  });

  it('is as much as can be without a count', async () => {
    const answer = await judged(model, askFor({ kind: 'room', flavor, count: null }));
    expect(answer).toMatchObject({ isReached: true, after: { places: 1 } });
  });

  it('is not reached if the count cannot fit', async () => {
    const answer = await judged(model, askFor({ kind: 'room', flavor, count: 3 }));
    expect(answer).toMatchObject({ isReached: false, after: { places: 1 } });
  });

  it('is an empty plan below the least gain', async () => {
    const answer = await judged(model, askFor({ kind: 'room', flavor, count: null }, { minGain: 2 }));
    expect(answer).toMatchObject({ moves: [], after: { places: 0 } });
  });
});

describe('balance', () => {
  it('exchanges instances of full hosts over a third one', async () => {
    const model: Model = {
      hosts: [
        { name: 'a', capacity: { VCPU: 8, RAM: 8 } },
        { name: 'b', capacity: { VCPU: 8, RAM: 8 } },
        { name: 'c', capacity: { VCPU: 8, RAM: 8 } },
      ],
      instances: [
        { name: 'a1', host: 'a', amounts: { VCPU: 4, RAM: 1 } },
        { name: 'a2', host: 'a', amounts: { VCPU: 4, RAM: 1 } },
        { name: 'b1', host: 'b', amounts: { VCPU: 1, RAM: 4 } },
        { name: 'b2', host: 'b', amounts: { VCPU: 1, RAM: 4 } },
        { name: 'c1', host: 'c', amounts: { VCPU: 4, RAM: 4 } },
      ],
    };
    const answer = await judged(model, askFor({ kind: 'balance', classes: ['VCPU', 'RAM'], over: 'hosts' }));
    const end = endOf(model, answer);
    expect(end[0]).not.toBe(end[1]);
    expect(end[2]).not.toBe(end[3]);
    expect(answer.after.highestUse).toBeLessThan(answer.before.highestUse);
  });

  it('evens zones, not hosts', async () => {
    const model: Model = {
      hosts: [
        { ...host('a', 8), zone: 'x' },
        { ...host('b', 8), zone: 'x' },
        { ...host('c', 16), zone: 'y' },
      ],
      instances: [instance('a1', 'a', 4), instance('a2', 'a', 4)],
    };
    const answer = await judged(model, askFor({ kind: 'balance', classes: ['VCPU'], over: 'zones' }));
    expect(answer.moves.map(({ target }) => target)).toEqual([2]);
    expect(answer.moves[0]?.reason).toBe('evens the use of VCPU between a and c');
  });
});

describe('packing', () => {
  const model: Model = {
    hosts: [host('a', 8), host('b', 8), host('c', 8), host('d', 8)],
    instances: [instance('a1', 'a', 2), instance('b1', 'b', 3), instance('c1', 'c', 5), instance('c2', 'c', 1)],
  };

  it('empties the most hosts', async () => {
    const answer = await judged(model, askFor({ kind: 'pack', flavor: null }));
    expect([answer.before.emptyHosts, answer.after.emptyHosts, answer.moves.length]).toEqual([1, 2, 1]);
  });

  it('empties a host only if all of its instances can leave', async () => {
    const answer = await judged(model, askFor({ kind: 'pack', flavor: null }, { staying: new Set([0, 1, 3]) }));
    expect(answer).toMatchObject({ moves: [], after: { emptyHosts: 1 } });
  });
});

it('starts at most so many moves of a host in a stage', async () => {
  const model: Model = {
    hosts: [host('a', 8), host('b', 8)],
    instances: [1, 2, 3].map((at) => instance(`i${at}`, 'a', 1)),
  };
  const stages = async (maxMovesPerHost: number): Promise<readonly number[]> =>
    (await judged(model, askFor({ kind: 'drain', hosts: [0] }, { maxMovesPerHost }))).moves.map(({ stage }) => stage);
  expect(await stages(1)).toEqual([0, 1, 2]);
  expect(await stages(2)).toEqual([0, 0, 1]);
});
