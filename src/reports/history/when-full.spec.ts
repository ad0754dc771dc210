import { whenFull } from './when-full';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);

type Use = (day: number) => number;

/** A sample for each hour. */
const samples = (days: number, use: Use): { atMs: number; used: number }[] =>
  Array.from({ length: days * 24 + 1 }, (_, hour) => ({ atMs: START_MS + hour * HOUR_MS, used: use(hour / 24) }));

const line: Use = (day) => 1_000 + 10 * day;
const daily: Use = (day) => line(day) + 40 * Math.sin(2 * Math.PI * day);
/** Between -1 and 1, the same in every run. */
const noise = (day: number): number => Math.sin(day * 24 * 12.9898) * Math.cos(day * 24 * 78.233);
const noisy: Use = (day) => line(day) + 20 * noise(day);
const walk: Use = (day) => line(day) + 5 * Math.sin(day / 2) * Math.abs(noise(Math.floor(day) / 24));
const flat: Use = () => 1_000;
const step: Use = (day) => (day > 3.5 ? 1_100 : 1_000);
/** Once a day, as a batch. */
const stairs: Use = (day) => 1_000 + 10 * Math.floor(day);
const oneDay: Use = (day) => 1_000 + (day > 6 ? 200 * (day - 6) : 0);

describe('when a class is full', () => {
  it.each([
    ['a line', line, 205, 'full in 20 to 21 days'],
    ['a line with noise', noisy, 205, /^full in 1\d to 2\d days/],
    ['a line with a daily cycle', daily, 205, /^full in \d+ to 2\d days/],
    ['an uneven line', walk, 205, /^full in 1\d to 2\d days/],
    ['stairs', stairs, 205, 'full in 20 to 21 days'],
    ['a line, today', line, 4, 'full within a day'],
    ['a line, in two days', line, 19, 'full in 1 to 2 days'],
    ['a line, in a year', line, 3_649, 'full in 364 to 365 days'],
    ['a line, later', line, 3_651, 'not full within a year'],
    ['nothing left', flat, 0, 'full now'],
    ['flat use', flat, 205, 'not foreseeable: use does not grow steadily'],
    ['flat use with noise', (day: number) => 1_000 + 20 * noise(day), 205, 'use does not grow steadily'],
    ['falling use', (day: number) => -line(day), 205, 'use does not grow steadily'],
    ['one step', step, 205, 'use does not grow steadily'],
    ['growth on the last day only', oneDay, 205, 'use does not grow steadily'],
  ])('%s', (_, use, room, sentence) => {
    expect(whenFull(samples(7, use), room).sentence).toEqual(
      typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence),
    );
  });

  it.each([
    ['no sample', [], '0.0 of 4 days of history'],
    ['one sample', samples(0, line), '0.0 of 4 days of history'],
    ['three days', samples(3, line), '3.0 of 4 days of history'],
    ['two samples, far apart', [samples(7, line)[0], samples(7, line)[168]], 'use does not grow steadily'],
    ['four days', samples(4, line), 'full in 20 to 21 days at the pace of the last 4 days'],
    ['a gap of three days', samples(7, line).filter((_, hour) => hour < 48 || hour > 120), 'full in 20 to 21 days'],
  ])('of %s', (_, given, sentence) => {
    const points = given.flatMap((each) => each ?? []);
    expect(whenFull(points, 205).sentence).toContain(sentence);
  });

  it('has a range around the line that noise widens', () => {
    const [exact, wide] = [whenFull(samples(7, line), 205), whenFull(samples(7, noisy), 205)];
    expect(exact.earliest_days).toBeCloseTo(20.5);
    expect(exact.latest_days).toBeCloseTo(20.5);
    expect(wide.earliest_days).toBeLessThan(20);
    expect(wide.latest_days).toBeGreaterThan(21);
  });

  it('is not shown with a range that is too wide', () => {
    const uneven: Use = (day) => 1_000 + 10 * day + [0, 6, 0, 6, 0, -6, 0, 0][Math.floor(day)]!;
    expect(whenFull(samples(7, uneven), 205)).toEqual({
      earliest_days: null,
      latest_days: null,
      sentence: 'not foreseeable: use grows too unevenly',
    });
  });

  it('contains the date at the true pace for nine of ten random walks', () => {
    let state = 1;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const shown = Array.from({ length: 300 }, () => {
      let used = 1_000;
      const found = whenFull(
        samples(7, () => (used += 10 / 24 + 2 * random())),
        200,
      );
      return found.earliest_days !== null && found.earliest_days <= 20 && (found.latest_days ?? 0) >= 20;
    });
    expect(shown.filter(Boolean).length / shown.length).toBeGreaterThan(0.88);
  });

  it('depends on what is left now, not on when capacity was added', () => {
    const [before, after] = [whenFull(samples(7, line), 205), whenFull(samples(7, line), 1_205)];
    expect((after.earliest_days ?? 0) - (before.earliest_days ?? 0)).toBeCloseTo(100);
  });
});
