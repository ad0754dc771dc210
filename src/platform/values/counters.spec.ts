import { Distribution, NamedCounts } from './counters';

it('puts a value into the first bucket whose bound it does not exceed', () => {
  const distribution = new Distribution([1, 10]);
  for (const value of [0, 1, 1.5, 10, 11]) distribution.add(value);
  expect([...distribution.counts]).toEqual([2, 2, 1]);
  expect(distribution.sum).toBe(23.5);
});

it('counts by names, and what is beyond the bound under the rest', () => {
  const counts = new NamedCounts<readonly [string, string]>(2, ['other', 'other']);
  counts.add(['a', 'x']);
  counts.add(['a', 'x'], 2);
  counts.add(['b', 'x']);
  counts.add(['c', 'x'], 5);
  counts.add(['d', 'x']);
  counts.add(['b', 'x']);
  expect([...counts].map(({ names, count }) => [...names, count])).toEqual([
    ['a', 'x', 3],
    ['b', 'x', 2],
    ['other', 'other', 6],
  ]);
});
