import { metricOf, namedRatiosOf, ratioProblem } from './metric-settings';
import { hostState } from './pipeline.fixture';

describe('metric settings', () => {
  it.each([
    ['a=1', [{ name: 'a', ratio: 1 }]],
    [' a = -1.5 ', [{ name: 'a', ratio: -1.5 }]],
    ['a=1e2', [{ name: 'a', ratio: 100 }]],
    ['a=0', [{ name: 'a', ratio: 0 }]],
    ['a', []],
    ['=1', []],
    ['a=', []],
    ['a=b', []],
    ['a=1=2', []],
    ['a=nan', []],
    ['a=inf', []],
  ])('"%s"', (entry, settings) => {
    expect(namedRatiosOf([entry])).toEqual(settings);
    expect(ratioProblem(entry)).toBe(settings.length === 0 ? `'${entry}' is not name=ratio and is dropped` : null);
  });

  it('are read once per list', () => {
    const entries = ['a=1', 'oops', 'b=2'];
    expect(namedRatiosOf(entries)).toBe(namedRatiosOf(entries));
    expect(namedRatiosOf(entries).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('a metric of a host', () => {
  const at = { nowMs: 100_000, maxAgeSeconds: 0 };
  const metric = (value: number, measuredAtMs: number | null = null) => ({
    name: 'a',
    value,
    unit: null,
    measuredAtMs,
  });

  it('is the last of its name, or nothing', () => {
    expect(metricOf(hostState({ metrics: [metric(1), metric(2)] }), 'a', at)?.metric.value).toBe(2);
    expect(metricOf(hostState({ metrics: [metric(1)] }), 'b', at)).toBeNull();
  });

  it.each([
    [10, metric(1, 90_000), null, 'fresh', 10],
    [9, metric(1, 90_000), null, 'old', 10],
    [0, metric(1, 0), null, 'fresh', 100],
    [9, metric(1), 91_000, 'fresh', 9],
    [8, metric(1), 91_000, 'old', 9],
    [9, metric(1), null, 'old', null],
    [0, metric(1), null, 'fresh', null],
  ])('with an age limit of %d: %j, reported at %s, is %s', (maxAgeSeconds, reported, updatedAtMs, kind, ageSeconds) => {
    const host = hostState({ metrics: [reported], updatedAtMs });
    expect(metricOf(host, 'a', { ...at, maxAgeSeconds })).toMatchObject({ kind, ageSeconds });
  });
});
