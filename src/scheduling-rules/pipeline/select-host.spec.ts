import { randomIndex, seededRandom, shuffled } from '../../platform/values/random';
import { hostState } from './pipeline.fixture';
import { selectHost } from './select-host';

const ranking = [
  ['a', 3],
  ['b', 3],
  ['c', 2],
  ['d', 1],
].map(([host, weight]) => ({ state: hostState({ host: String(host) }), weight: Number(weight) }));

const firstsOver = (seeds: number, hostSubsetSize: number, shuffleBestSameWeighedHosts: boolean): string[] => {
  const firsts = new Set<string>();
  for (let seed = 0; seed < seeds; seed += 1) {
    const { order } = selectHost(ranking, { hostSubsetSize, shuffleBestSameWeighedHosts }, seededRandom(seed));
    expect(order).toHaveLength(ranking.length);
    firsts.add(order[0]?.state.host ?? '');
  }
  return [...firsts].sort();
};

describe('picking a host', () => {
  it.each([
    ['takes the best', 1, false, ['a']],
    ['draws among the best two', 2, false, ['a', 'b']],
    ['draws among the best three, equal or not', 3, false, ['a', 'b', 'c']],
    ['draws among all when the subset is larger', 9, false, ['a', 'b', 'c', 'd']],
    ['shuffles only those that equal the best', 1, true, ['a', 'b']],
  ])('%s', (_, size, shuffle, expected) => expect(firstsOver(100, size, shuffle)).toEqual(expected));

  it('keeps the order of the hosts after the drawn one', () => {
    const { order } = selectHost(ranking, { hostSubsetSize: 3, shuffleBestSameWeighedHosts: false }, () => 0.99);
    expect(order.map(({ state }) => state.host)).toEqual(['c', 'a', 'b', 'd']);
  });

  it('of none is none', () => {
    const options = { hostSubsetSize: 3, shuffleBestSameWeighedHosts: true };
    expect(selectHost([], options, seededRandom(1))).toEqual({ order: [], drawnFrom: 0 });
  });
});

describe('seeded randomness', () => {
  it('repeats itself for a seed and differs between seeds', () => {
    const draw = (seed: number): number[] => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it('stays below the bound', () => {
    expect(randomIndex(() => 0.999999999999, 3)).toBe(2);
    expect(randomIndex(() => 0, 3)).toBe(0);
  });

  it('shuffles without losing anything', () => {
    const items = [1, 2, 3, 4, 5, 6, 7];
    expect([...shuffled(items, seededRandom(3))].sort()).toEqual(items);
  });
});
