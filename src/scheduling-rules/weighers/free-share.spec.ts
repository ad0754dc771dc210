import { freeWeight } from './free-share';

it.each([
  [2, 8, false, 2],
  [2, 8, true, 0.25],
  [-2, 8, true, -0.25],
  [8, 8, true, 1],
  [0, 0, true, 0],
  [5, 0, true, 0],
  [5, 0, false, 5],
])('%d free of %d, as a share: %s, weighs %d', (free, total, asShare, weight) => {
  expect(freeWeight(free, total, asShare)).toBe(weight);
});
