import { runToCompletion } from '../../platform/values/task';
import { bind } from './bind';
import { defineWeigher } from './define-weigher';
import { hostState, requestSpec, TEST_ENVIRONMENT } from './pipeline.fixture';
import { rankingOf, sameWeight, scaled, scaleOf, weigherTask } from './run-weighers';

describe('normalisation', () => {
  it.each<[string, readonly (number | null)[], number | null, number | null, readonly number[]]>([
    ['smallest and largest', [100, 97, 1], null, null, [1, 96 / 99, 0]],
    ['equal values', [2, 2], null, null, [0, 0]],
    ['members, negated', [0, -1, -2], null, null, [1, 0.5, 0]],
    ['a fixed minimum of 0', [4096, 2048, -100], 0, null, [1, 0.5, 0]],
    ['a fixed minimum and equal values', [1000, 1000], 0, null, [1, 1]],
    ['a fixed minimum and nothing above it', [0, -5], 0, null, [0, 0]],
    ['a fixed maximum', [50, 100, 300], null, 100, [0, 1, 1]],
    ['both ends fixed', [-1, 5, 20], 0, 10, [0, 0.5, 1]],
    ['a missing value, which moves no end', [4, null, 2], null, null, [1, 0, 0]],
    ['only missing values', [null, null], null, null, [0, 0]],
    ['metrics', [16, -10000, 0], null, null, [1, 0, 10000 / 10016]],
  ])('%s', (_, raws, min, max, expected) => {
    const values = raws.map((raw) => raw ?? Number.NaN);
    const scale = scaleOf(Float64Array.from(values), { fixedMin: min, fixedMax: max });
    for (const [at, value] of values.entries())
      expect(scaled(value, scale)).toBeCloseTo(expected[at] ?? Number.NaN, 12);
  });
});

describe('ranking', () => {
  const weighed = (host: string, weight: number): { state: ReturnType<typeof hostState>; weight: number } => ({
    state: hostState({ host }),
    weight,
  });
  const names = (...hosts: readonly ReturnType<typeof weighed>[]): string[] =>
    rankingOf(hosts).map(({ state }) => state.host);

  it('is by weight, highest first', () => {
    expect(names(weighed('a', 1), weighed('b', 3), weighed('c', 2))).toEqual(['b', 'c', 'a']);
  });

  it('orders equals by name, whatever order they came in', () => {
    expect(names(weighed('c', 1), weighed('a', 1), weighed('b', 1))).toEqual(['a', 'b', 'c']);
  });

  it('counts rounding noise as equal', () => {
    expect(names(weighed('b', 0.1 + 0.2), weighed('a', 0.3))).toEqual(['a', 'b']);
  });

  it.each([
    [1, 1 + 1e-10, true],
    [1, 1 + 1e-8, false],
    [1e6, 1e6 + 1e-4, true],
    [0, 0, true],
    [0, 1e-12, false],
    [-1, -1 - 1e-10, true],
  ])('%d and %d equal: %s', (one, other, expected) => expect(sameWeight(one, other)).toBe(expected));
});

describe('weighers', () => {
  const hosts = [hostState({ host: 'a' }), hostState({ host: 'b' })];
  const weighed = (weigh: () => number, of = hosts, multiplier = 2) => {
    const weigher = defineWeigher({ name: 'W', summary: '', multiplier: () => multiplier, weigh });
    return runToCompletion(weigherTask([bind(weigher, {})], of, requestSpec(), TEST_ENVIRONMENT));
  };

  it('are not asked about a single host, whose weight is 0', () => {
    const asked = jest.fn(() => 1);
    const result = weighed(asked, hosts.slice(0, 1));
    expect(asked).not.toHaveBeenCalled();
    expect(result).toMatchObject({ weighers: [], ranking: [{ weight: 0 }] });
  });

  it('keep every part of a weight', () => {
    let raw = 0;
    const { weighers } = weighed(() => (raw += 5));
    expect(weighers[0]?.hosts).toEqual([
      { host: 'a', node: 'a', raw: 5, normalized: 0, multiplier: 2, score: 0, error: null },
      { host: 'b', node: 'b', raw: 10, normalized: 1, multiplier: 2, score: 2, error: null },
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
      'broken',
    ],
    ['answers NaN', () => Number.NaN, 'its raw value is NaN'],
  ])('that one %s on a host gives it the worst score', (_, weigh, error) => {
    const result = weighed(weigh, hosts, -3);
    expect(result.weighers[0]?.hosts[0]).toMatchObject({ raw: null, score: -3, error });
  });
});
