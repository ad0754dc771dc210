import { Distribution } from '../values/counters';
import type { MetricFamily } from './family';
import { counter, gauge, histogram, one } from './family';
import { Metrics } from './metrics';

const QUIET = { warn: () => undefined };

/** The lines of families `x` and `y` in a scrape. */
const scraped = async (metrics: Metrics): Promise<readonly string[]> =>
  (await metrics.text())
    .toString()
    .split('\n')
    .filter((line) => /^[xy][ {_]/.test(line));

const linesOf = (...families: readonly MetricFamily[]): Promise<readonly string[]> =>
  scraped(new Metrics(families, QUIET));

const facts = { name: 'x', help: 'X.' };
const counted = (...values: readonly (readonly [string, number])[]): MetricFamily =>
  counter({
    ...facts,
    labels: { l: 'any' },
    *read() {
      for (const [l, value] of values) yield { labels: { l }, value };
    },
  });

it('counters have the value of their source at every scrape', async () => {
  const metrics = new Metrics([counted(['a', 1])], QUIET);
  for (let scrape = 0; scrape < 2; scrape += 1) expect(await scraped(metrics)).toEqual(['x{l="a"} 1']);
  expect(await linesOf(counted(['a', 1], ['b', 2]))).toEqual(['x{l="a"} 1', 'x{l="b"} 2']);
});

it('concurrent scrapes do not add up', async () => {
  const metrics = new Metrics([counted(['a', 1])], QUIET);
  for (const lines of await Promise.all([scraped(metrics), scraped(metrics), scraped(metrics)]))
    expect(lines).toEqual(['x{l="a"} 1']);
});

it('the start of the process has a line', async () => {
  expect((await new Metrics([], QUIET).text()).toString()).toMatch(/^process_start_time_seconds \d/m);
});

it('a gauge without a value has no line', async () => {
  const labelled = gauge({ ...facts, name: 'y', labels: { l: 'any' }, read: () => [] });
  expect(await linesOf(gauge({ ...facts, read: () => [] }), labelled)).toEqual([]);
});

it('buckets of a histogram add up', async () => {
  const of = (...values: readonly number[]): MetricFamily => {
    const distribution = new Distribution([1, 10]);
    for (const value of values) distribution.add(value);
    return histogram({ ...facts, read: () => [{ labels: {}, distribution }] });
  };
  expect(await linesOf(of(1, 5, 0.5, 100))).toEqual([
    'x_bucket{le="1"} 2',
    'x_bucket{le="10"} 3',
    'x_bucket{le="+Inf"} 4',
    'x_sum 106.5',
    'x_count 4',
  ]);
});

it('label values cannot forge a line', async () => {
  expect(await linesOf(counted(['a"\n} 1\nx 2\\', 1]))).toHaveLength(1);
});

it('a family whose source fails has no values, is counted and logged; the other families are returned', async () => {
  const logged: object[] = [];
  const metrics = new Metrics(
    [
      gauge({ name: 'good', help: 'Good.', read: () => one(1) }),
      gauge({ name: 'bad', help: 'Bad.', read: () => Promise.reject(new Error('no database')) }),
    ],
    { ...QUIET, warn: (fields) => void logged.push(fields) },
  );
  await metrics.text();
  const text = (await metrics.text()).toString();
  expect(text).toMatch(/^good 1$/m);
  expect(text).not.toMatch(/^bad/m);
  expect(text).toMatch(/^berth_metrics_unread_total [1-9]/m);
  expect(logged[0]).toEqual({ metric: 'bad', reason: 'no database' });
});
