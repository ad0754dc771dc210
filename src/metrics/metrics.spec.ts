import { Distribution } from '../domain/tally';
import { counter, metricDocumentOf, gauge, histogram, one } from './family';
import type { MetricFamily } from './family';
import { Metrics } from './metrics';
import { metricsText } from './metrics-text';

const QUIET = { warn: () => undefined };

/** The lines of one family, of processes that have these values. */
async function linesOf(families: readonly MetricFamily[]): Promise<readonly string[]> {
  const documents = await Promise.all(families.map(metricDocumentOf));
  const text = await metricsText(documents.map((document) => [document]));
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('of several processes', () => {
  const facts = { name: 'x', help: 'X.' };

  it('counters add up, by their labels', async () => {
    const of = (a: number, b: number): MetricFamily =>
      counter({
        ...facts,
        labels: { l: 'a or b' },
        read: () => [
          { labels: { l: 'a' }, value: a },
          { labels: { l: 'b' }, value: b },
        ],
      });
    expect(await linesOf([of(1, 2), of(10, 20)])).toEqual(['x{l="a"} 11', 'x{l="b"} 22']);
  });

  it.each([
    ['sum', 'x 8'],
    ['max', 'x 5'],
    ['first', 'x 3'],
  ] as const)('of gauges the %s counts', async (how, line) => {
    expect(await linesOf([3, 5].map((value) => gauge(how, { ...facts, read: () => one(value) })))).toEqual([line]);
  });

  it('histograms add up, bucket by bucket', async () => {
    const of = (...values: readonly number[]): MetricFamily => {
      const distribution = new Distribution([1, 10]);
      for (const value of values) distribution.add(value);
      return histogram({ ...facts, read: () => [{ labels: {}, distribution }] });
    };
    expect(await linesOf([of(1, 5), of(0.5, 100)])).toEqual([
      'x_bucket{le="1"} 2',
      'x_bucket{le="10"} 3',
      'x_bucket{le="+Inf"} 4',
      'x_sum 106.5',
      'x_count 4',
    ]);
  });

  it('text of the data cannot forge a line', async () => {
    const labels = { zone: 'a"\n} 1\nforged 2\\' };
    const family = gauge('first', { ...facts, labels: { zone: 'any' }, read: () => [{ labels, value: 1 }] });
    expect(await linesOf([family])).toHaveLength(1);
  });
});

it('a source that fails leaves its family out, is counted and told; the rest is answered', async () => {
  const told: object[] = [];
  const metrics = new Metrics(
    [
      gauge('sum', { name: 'good', help: 'Good.', read: () => one(1) }),
      gauge('sum', { name: 'bad', help: 'Bad.', read: () => Promise.reject(new Error('no database')) }),
    ],
    { ...QUIET, warn: (fields) => void told.push(fields) },
  );
  await metrics.documents();
  const names = new Map((await metrics.documents()).map((document) => [document.name, document.values]));
  expect(names.has('bad')).toBe(false);
  expect(names.get('good')).toEqual([{ labels: {}, value: 1 }]);
  expect(names.get('berth_metrics_unread_total')?.[0]?.value).toBeGreaterThanOrEqual(1);
  expect(told[0]).toEqual({ metric: 'bad', reason: 'no database' });
});
