import { AttemptRate } from './attempt-rate';

const LIMITS = { most: 3, regainsMs: 1_000, names: 4 };

function rateAt(): { readonly rate: AttemptRate; readonly clock: { ms: number } } {
  const clock = { ms: 0 };
  return { rate: new AttemptRate(LIMITS, () => clock.ms), clock };
}

const takeAll = (rate: AttemptRate, name: string): readonly number[] => [1, 2, 3].map(() => rate.take(name));

it('grants the tries that there are at once, and says how long until the next', () => {
  const { rate, clock } = rateAt();
  expect(takeAll(rate, 'a')).toEqual([0, 0, 0]);
  expect(rate.take('a')).toBe(1_000);
  clock.ms = 400;
  expect(rate.take('a')).toBe(600);
  clock.ms = 999;
  expect(rate.take('a')).toBe(1);
  clock.ms = 1_000;
  expect([rate.take('a'), rate.take('a')]).toEqual([0, 1_000]);
});

it('takes nothing for a try that it refuses', () => {
  const { rate, clock } = rateAt();
  takeAll(rate, 'a');
  for (clock.ms = 0; clock.ms < 1_000; clock.ms += 10) rate.take('a');
  expect(rate.take('a')).toBe(0);
});

it('regains no more than there are at once', () => {
  const { rate, clock } = rateAt();
  takeAll(rate, 'a');
  clock.ms = 1_000_000;
  expect([...takeAll(rate, 'a'), rate.take('a')]).toEqual([0, 0, 0, 1_000]);
});

it('counts each name for itself, and forgives one', () => {
  const { rate } = rateAt();
  takeAll(rate, 'a');
  expect([rate.take('a'), rate.take('b')]).toEqual([1_000, 0]);
  rate.forgive('a');
  expect(rate.take('a')).toBe(0);
});

it('gives no attempts back when many invented names are tried', () => {
  const { rate } = rateAt();
  takeAll(rate, 'victim');
  for (let name = 0; name < 1_000; name += 1) rate.take(`invented ${name}`);
  expect(rate.take('victim')).toBe(1_000);
});

it('lets names beyond its memory share the tries of one, until others have rested', () => {
  const { rate, clock } = rateAt();
  for (const name of ['a', 'b', 'c', 'd']) rate.take(name);
  expect(['e', 'f', 'g', 'h'].map((name) => rate.take(name))).toEqual([0, 0, 0, 1_000]);
  // Known names keep their own quota.
  expect(rate.take('a')).toBe(0);
  clock.ms = LIMITS.most * LIMITS.regainsMs;
  expect(['e', 'f', 'g', 'h'].map((name) => rate.take(name))).toEqual([0, 0, 0, 0]);
});
