import { seededRandom } from './random';
import { sortedWalk } from './sorted-walk';
import { finish } from './walk';

it('sorts as the engine does, whatever the length, and keeps the order of equals', () => {
  const random = seededRandom(7);
  for (const length of [0, 1, 2, 999, 1_000, 1_001, 2_000, 3_500, 10_007]) {
    const entries = Array.from({ length }, (_, at) => ({ key: Math.floor(random() * 500), at }));
    const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    expect(finish(sortedWalk(entries, compare))).toEqual([...entries].sort(compare));
  }
});

it('compares a bounded number of entries between two chances to stop', () => {
  let compared = 0;
  const walk = sortedWalk(
    Array.from({ length: 50_000 }, (_, at) => (at * 7_919) % 50_021),
    (a, b) => {
      compared += 1;
      return a - b;
    },
  );
  let most = 0;
  for (let step = walk.next(); step.done !== true; step = walk.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  // A piece of 1 000 takes no more than 1 000 × log2(1 000).
  expect(Math.max(most, compared)).toBeLessThanOrEqual(10_000);
});
