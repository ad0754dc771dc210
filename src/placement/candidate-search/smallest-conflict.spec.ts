// Smallest conflicts against brute force on random failures, and their limits.
import { seededRandom } from '../../platform/values/random';
import type { FailureSet } from './smallest-conflict';
import { CONFLICT_SIZE_MAX, smallestConflict } from './smallest-conflict';

const leavesNoHost = (sets: readonly FailureSet[], chosen: readonly number[]): boolean =>
  sets.every((failed) => failed.some((condition) => chosen.includes(condition)));

function subsetsOf(count: number, size: number): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: count }, (_, first) => first).flatMap((first) =>
    subsetsOf(count, size - 1)
      .filter(([next]) => next === undefined || next > first)
      .map((rest) => [first, ...rest]),
  );
}

/** All conflicts of the smallest size. */
function bruteForce(sets: readonly FailureSet[], count: number): readonly number[][] {
  for (let size = 1; size <= CONFLICT_SIZE_MAX; size += 1) {
    const found = subsetsOf(count, size).filter((chosen) => leavesNoHost(sets, chosen));
    if (found.length > 0) return found;
  }
  return [];
}

it('is one of the smallest sets without a host, the one that the fewest hosts satisfy', () => {
  const sizes = new Set<number>();
  for (let seed = 0; seed < 2_000; seed += 1) {
    const random = seededRandom(seed);
    const count = 2 + Math.floor(random() * 6);
    const all = Array.from({ length: count }, (_, at) => at);
    const drawn = Array.from({ length: 1 + Math.floor(random() * 8) }, () => all.filter(() => random() < 0.45));
    const sets = drawn.filter((failed) => failed.length > 0);
    if (sets.length === 0) continue;
    const satisfied = all.map(() => Math.floor(random() * 10));
    const sum = (chosen: readonly number[]): number => chosen.reduce((total, at) => total + (satisfied[at] ?? 0), 0);
    const expected = bruteForce(sets, count);
    const found = smallestConflict(sets, satisfied);
    sizes.add(found?.length ?? 0);
    if (expected.length === 0) {
      expect(found).toBeNull();
      continue;
    }
    expect(expected).toContainEqual(found);
    expect(sum(found ?? [])).toBe(Math.min(...expected.map(sum)));
  }
  expect([...sizes].sort()).toEqual([0, 1, 2, 3]);
});

it.each<[string, readonly FailureSet[]]>([
  ['without hosts', []],
  ['if a host fails nothing', [[0], []]],
  ['if four conditions are needed', [[0], [1], [2], [3]]],
])('there is none %s', (_, sets) => expect(smallestConflict(sets, [1, 1, 1, 1])).toBeNull());

it('a search over very many different failures ends without one', () => {
  const random = seededRandom(7);
  const all = Array.from({ length: 60 }, (_, at) => at);
  const sets = Array.from({ length: 10_000 }, () => all.filter(() => random() < 0.3)).filter(
    ({ length }) => length > 0,
  );
  const startedAt = performance.now();
  expect(smallestConflict(sets, all)).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(500);
});
