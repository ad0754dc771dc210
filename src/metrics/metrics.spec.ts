import { AggregatorRegistry } from 'prom-client';
import type { PrometheusContentType } from 'prom-client';
import { METRICS_LIMITS } from '../config/limits';
import { Distribution } from '../domain/tally';
import { finish } from '../domain/walk';
import { counter, gauge, histogram, one, readFamily } from './family';
import type { Labels, MetricDocument, MetricFamily } from './family';
import { Metrics } from './metrics';
import { metricsText } from './metrics-text';

const QUIET = { warn: () => undefined };

const documentOf = async (family: MetricFamily): Promise<MetricDocument> => finish(await readFamily(family));

/** The lines of one family, of processes that have these values. */
async function linesOf(families: readonly MetricFamily[]): Promise<readonly string[]> {
  const documents = await Promise.all(families.map(documentOf));
  const text = finish(metricsText(documents.map((document) => [document]))).toString();
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

describe('of many lines', () => {
  const LINES = 1_000;
  const BOUNDS = [1, 10];
  const labelsOf = (at: number): Labels => ({ route: `/r/${at}`, zone: 'a"\n}\\ é' });
  let read = 0;

  /** As many lines as said, in samples and distributions; `read` counts the lines that were taken of them. */
  const familiesOf = (process: number): readonly MetricFamily[] => [
    counter({
      name: 'many_total',
      help: 'Many \\ of\nthem.',
      labels: { route: 'any', zone: 'any' },
      *read() {
        // Each process has some lines that others lack.
        for (let at = process; at < LINES; at += 1) {
          read += 1;
          yield { labels: labelsOf(at), value: at * process };
        }
      },
    }),
    histogram({
      name: 'long_seconds',
      help: 'Long.',
      labels: { route: 'any', zone: 'any' },
      *read() {
        for (let at = 0; at < LINES / 5; at += 1) {
          const distribution = new Distribution(BOUNDS);
          for (const value of [at / 7, process]) distribution.add(value);
          read += BOUNDS.length + 3;
          yield { labels: labelsOf(at), distribution };
        }
      },
    }),
    ...[NaN, Infinity, -Infinity, -0, 1e21, 0.1 + 0.2].map((value, at) =>
      gauge('max', { name: `odd_${at}`, help: 'Odd.', read: () => one(value) }),
    ),
  ];

  /** What the library makes of the same numbers. */
  function asLibraryWrites(documents: readonly (readonly MetricDocument[])[]): Promise<string> {
    const known = documents.map((own) =>
      own.map(({ name, help, type, overWorkers, series, values }) => ({
        name,
        help,
        type,
        aggregator: overWorkers,
        values: series.map((each, at) => ({ ...labelled(each), value: values[at] })),
      })),
    );
    return AggregatorRegistry.aggregate<PrometheusContentType>(known).metrics();
  }

  function labelled(series: string): { readonly metricName: string; readonly labels: Labels } {
    const [metricName = '', text = ''] = series.split(/\{(.*)\}$/s);
    const unescaped = (value: string): string => JSON.parse(`"${value}"`) as string;
    const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return {
      metricName,
      labels: Object.fromEntries(pairs.map(([, label = '', value = '']) => [label, unescaped(value)])),
    };
  }

  it.each([[[1]], [[1, 3, 2]]])('of processes %j, the text is what the library writes', async (processes) => {
    const documents = await Promise.all(processes.map((each) => Promise.all(familiesOf(each).map(documentOf))));
    const text = finish(metricsText(documents)).toString();
    expect(text.split('\n').length).toBeGreaterThan(2 * LINES);
    expect(text).toBe(await asLibraryWrites(documents));
  });

  it('others have their turn after so many lines, reading as well as writing', async () => {
    const most = METRICS_LIMITS.samplesPerStep + BOUNDS.length + 3;
    const documents: MetricDocument[] = [];
    for (const family of familiesOf(1)) {
      const reading = await readFamily(family);
      for (read = 0; ; read = 0) {
        const step = reading.next();
        expect(read).toBeLessThanOrEqual(most);
        if (step.done !== true) continue;
        documents.push(step.value);
        break;
      }
    }
    const counted = documents.map((document) => ({ ...document, values: countReads(document.values) }));
    const writing = metricsText([counted, counted]);
    let written = 0;
    for (let isDone = false; !isDone; written += 1) {
      looked = 0;
      isDone = writing.next().done === true;
      expect(looked).toBeLessThanOrEqual(METRICS_LIMITS.samplesPerStep);
    }
    // Each line of both processes is added up, and then written once.
    expect(written).toBeGreaterThan((3 * 2 * LINES) / METRICS_LIMITS.samplesPerStep);
  });

  let looked = 0;
  const countReads = (values: MetricDocument['values']): MetricDocument['values'] =>
    new Proxy(values, {
      get: (target, key): unknown => {
        looked += 1;
        return Reflect.get(target, key);
      },
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
  const names = new Map((await metrics.documents()).map((document) => [document.name, document]));
  expect(names.has('bad')).toBe(false);
  expect(names.get('good')).toMatchObject({ series: ['good'], values: [1] });
  expect(names.get('berth_metrics_unread_total')?.values[0]).toBeGreaterThanOrEqual(1);
  expect(told[0]).toEqual({ metric: 'bad', reason: 'no database' });
});
