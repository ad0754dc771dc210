import { RestartPause } from './restart-pause';

it('grows after short lives up to its maximum, and is reset after a long life', () => {
  const pause = new RestartPause();
  expect([6_000, 6_000, 59_999].map((life) => pause.after(life))).toEqual([1_000, 2_000, 4_000]);
  expect(Array.from({ length: 5 }, () => pause.after(5_001)).at(-1)).toBe(30_000);
  expect(pause.after(60_000)).toBe(0);
  expect(pause.after(10)).toBe(1_000);
});
