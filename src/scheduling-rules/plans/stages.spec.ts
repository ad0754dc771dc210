import { type Model, modelCloud } from './plan-cloud.fixture';
import { inStages } from './stages';

const host = (name: string) => ({ name, capacity: { VCPU: 8 } });
const instance = (name: string, on: string, vcpu: number) => ({ name, host: on, amounts: { VCPU: vcpu } });
const move = (at: number, source: number, target: number) => ({ instance: at, source, target, reason: 'r' });

/** Two full hosts, and an empty one over which they exchange their instances. */
const CYCLE: Model = {
  hosts: [host('a'), host('b'), host('c')],
  instances: [instance('i', 'a', 8), instance('j', 'b', 8)],
};
const EXCHANGE = [move(1, 1, 2), move(0, 0, 1), move(1, 2, 0)];

const shownOf = async (
  cloud: Parameters<typeof inStages>[0],
  moves: readonly ReturnType<typeof move>[],
  { most = 2, isTimeUp = false } = {},
): Promise<readonly (readonly [instance: number, stage: number, after: readonly number[]])[]> =>
  (await inStages(cloud, moves, most, () => isTimeUp)).map((each) => [each.instance, each.stage, each.after]);

it('lets a move wait for the departures that free its target, and for the earlier move of its instance', async () => {
  expect(await shownOf(modelCloud(CYCLE), EXCHANGE)).toEqual([
    [1, 0, []],
    [0, 1, [0]],
    [1, 2, [0, 1]],
  ]);
});

it('waits for no departure if the target has room without it', async () => {
  const model = { ...CYCLE, instances: [instance('i', 'a', 4), instance('j', 'b', 4)] };
  expect(await shownOf(modelCloud(model), [move(0, 0, 1), move(1, 1, 0)])).toEqual([
    [0, 0, []],
    [1, 0, []],
  ]);
});

it('waits for the departures before it in the draft if there is no time for questions', async () => {
  const model = { ...CYCLE, instances: [instance('i', 'a', 4), instance('j', 'b', 4)] };
  const cloud = modelCloud(model);
  expect(await shownOf(cloud, [move(0, 0, 1), move(1, 1, 0)], { isTimeUp: true })).toEqual([
    [0, 0, []],
    [1, 1, [0]],
  ]);
  expect(cloud.questions).toEqual({ targets: 0, fits: 0, claims: 0 });
});

it('moves one after the other if the scheduler judges another order differently', async () => {
  const cloud = modelCloud(CYCLE);
  let claims = 0;
  const fickle: typeof cloud = {
    ...cloud,
    claim: (at, target) => {
      claims += 1;
      return claims > 1 ? Promise.resolve(false) : cloud.claim(at, target);
    },
  };
  expect(await shownOf(fickle, EXCHANGE)).toEqual([
    [1, 0, []],
    [0, 1, [0]],
    [1, 2, [1]],
  ]);
});

it('splits a level by the moves of each host', async () => {
  const model: Model = {
    hosts: [host('a'), host('b'), host('c')],
    instances: [1, 2, 3, 4].map((at) => instance(`i${at}`, 'a', 1)),
  };
  const moves = [move(0, 0, 1), move(1, 0, 1), move(2, 0, 2), move(3, 0, 2)];
  expect((await shownOf(modelCloud(model), moves, { most: 2 })).map(([, stage]) => stage)).toEqual([0, 0, 1, 1]);
});
