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
