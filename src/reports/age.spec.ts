import { ageSeconds } from './age';

it.each([
  [null, 5_000, null],
  [5_000, 5_000, 0],
  [1_000, 3_499, 2],
  [1_000, 3_500, 3],
  [9_000, 5_000, 0],
])('a result of %s has at %s an age of %s seconds', (atMs, nowMs, age) => {
  expect(ageSeconds(atMs, nowMs)).toBe(age);
});
