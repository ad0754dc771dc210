import { seededRandom } from '../../platform/values/random';
import { runToCompletion } from '../../platform/values/task';
import { computeFilter } from '../filters/compute.filter';
import { numInstancesFilter } from '../filters/num-instances.filter';
import type { HostState } from '../host-state/host-state';
import { bind } from '../pipeline/bind';
import type { DriverAnswer, DriverInput } from '../pipeline/define-driver';
import { driverTask } from '../pipeline/define-driver';
import { hostState, requestSpec } from '../pipeline/pipeline.fixture';
import { chanceDriver, chanceSchedulerDriver } from './chance-scheduler.driver';
import { BUILT_IN_DRIVERS } from './index';

const NOW = 1_000_000;
const up = (host: string, secondsAgo = 0): HostState =>
  hostState({
    host,
    service: {
      disabled: false,
      disabledReason: null,
      forcedDown: false,
      lastSeenUpMs: NOW - secondsAgo * 1000,
      createdAtMs: 0,
    },
  });
const HOSTS = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => up(name));

function rank(given: Partial<DriverInput> = {}, seed = 1): DriverAnswer {
  return runToCompletion(
    driverTask(chanceSchedulerDriver, {
      hosts: HOSTS,
      spec: requestSpec(),
      index: 0,
      mode: 'first',
      filters: [],
      weighers: [],
      selection: { hostSubsetSize: 1, shuffleBestSameWeighedHosts: false },
      random: seededRandom(seed),
      env: { nowMs: NOW, novaCompat: false },
      ...given,
    }),
  );
}
const names = ({ order }: DriverAnswer): string[] => order.map(({ state }) => state.host);

describe('the chance driver', () => {
  it('orders every host that is up, by the seed alone', () => {
    expect(names(rank({}, 7))).toEqual(names(rank({}, 7)));
    expect([...names(rank({}, 7))].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    const firsts = new Set(Array.from({ length: 60 }, (_, seed) => names(rank({}, seed))[0]));
    expect([...firsts].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('rejects hosts whose service is down, and says so as the filter does', () => {
    const answer = rank({ hosts: [up('late', 61), up('fresh', 60)] });
    expect(names(answer)).toEqual(['fresh']);
    expect(answer.stages).toMatchObject([
      { name: 'ComputeFilter', in: 2, out: 1, rejected: [{ host: 'late', code: 'service_down' }] },
    ]);
  });

  it('obeys the configured down time, whether ComputeFilter is enabled or not', () => {
    const values = { DEFAULT: { service_down_time: 30 } };
    const hosts = [up('late', 31), up('fresh', 30)];
    expect(names(rank({ hosts, values }))).toEqual(['fresh']);
    expect(names(rank({ hosts, filters: [bind(computeFilter, values)] }))).toEqual(['fresh']);
    expect(names(rank({ hosts })).sort()).toEqual(['fresh', 'late']);
  });

  it('runs no other filter', () => {
    const full = { ...up('full'), numInstances: 99 };
    expect(names(rank({ hosts: [full], filters: [bind(numInstancesFilter, {})] }))).toEqual(['full']);
  });

  it('draws hosts that no earlier instance got first, and the others when there are no more', () => {
    const chosen = new Set(['a', 'b', 'c', 'd']);
    for (let seed = 0; seed < 20; seed += 1) {
      const answer = rank({ chosen, index: 1 }, seed);
      expect(names(answer).slice(0, 2).sort()).toEqual(['e', 'f']);
      expect([...names(answer)].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      expect(answer.drawnFrom).toBe(2);
    }
    const all = rank({ chosen: new Set(['a', 'b', 'c', 'd', 'e', 'f']), index: 6 });
    expect([names(all).length, all.drawnFrom]).toEqual([6, 6]);
  });

  it('weighs nothing', () => {
    const { order, weighers } = rank();
    expect([order.every(({ weight }) => weight === 0), weighers]).toEqual([true, []]);
  });

  it('is also found by its short name', () => {
    expect(BUILT_IN_DRIVERS.map(({ name }) => name)).toEqual(['filter_scheduler', 'chance_scheduler', 'chance']);
    expect(chanceDriver.rank).toBe(chanceSchedulerDriver.rank);
  });
});
