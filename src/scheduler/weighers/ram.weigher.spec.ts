import { bind } from '../pipeline/bind';
import { TEST_ENVIRONMENT, hostInAggregates, hostState, requestSpec } from '../pipeline/pipeline.fixture';
import { runWeighers } from '../pipeline/run-weighers';
import { ramWeigher } from './ram.weigher';

const A = { ...hostState({ host: 'A' }), freeRamMb: 4096 };
const B = { ...hostState({ host: 'B' }), freeRamMb: 2048 };
const C = { ...hostState({ host: 'C' }), freeRamMb: -100 };

const weigh = (hosts: readonly ReturnType<typeof hostState>[], multiplier = 1): [string, number][] =>
  runWeighers(
    [bind(ramWeigher, { filter_scheduler: { ram_weight_multiplier: multiplier } })],
    hosts,
    requestSpec(),
    TEST_ENVIRONMENT,
  ).ranking.map(({ state, weight }) => [state.host, weight]);

describe('RAMWeigher', () => {
  it('scales free memory from 0 to the largest; negative memory counts as none', () => {
    expect(weigh([C, B, A])).toEqual([
      ['A', 1],
      ['B', 0.5],
      ['C', 0],
    ]);
  });

  it('gives equal hosts 1, not 0, since its minimum is fixed', () => {
    expect(
      weigh([
        { ...A, freeRamMb: 1000 },
        { ...B, freeRamMb: 1000 },
      ]),
    ).toEqual([
      ['A', 1],
      ['B', 1],
    ]);
  });

  it('gives everybody 0 when nobody has memory left', () => {
    expect(weigh([{ ...A, freeRamMb: 0 }, C]).map(([, weight]) => weight)).toEqual([0, 0]);
  });

  it('stacks with a negative multiplier', () => {
    expect(weigh([A, B, C], -1).map(([host]) => host)).toEqual(['C', 'B', 'A']);
  });

  it('takes the smallest multiplier of the aggregates, unless one of them is no number', () => {
    const key = 'ram_weight_multiplier';
    const hosts = [
      { ...hostInAggregates('A', { [key]: '-2' }, { [key]: '3' }), freeRamMb: 4096 },
      { ...hostInAggregates('B', { [key]: '-2' }), freeRamMb: 2048 },
      { ...hostInAggregates('C', { [key]: '3' }, { [key]: 'oops' }), freeRamMb: -100 },
    ];
    expect(weigh(hosts, 7)).toEqual([
      ['C', 0],
      ['B', -1],
      ['A', -2],
    ]);
  });
});
