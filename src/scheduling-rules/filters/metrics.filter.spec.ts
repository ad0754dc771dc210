import { filterTable } from '../pipeline/rule-table.fixture';
import { metricsFilter } from './metrics.filter';

const metrics = (...names: readonly string[]) => ({
  metrics: names.map((name) => ({ name, value: 1, unit: null, measuredAtMs: null })),
});
const measured = (measuredAtMs: number | null) => ({ metrics: [{ name: 'a', value: 1, unit: null, measuredAtMs }] });
const asking = (...entries: readonly string[]) => ({ metrics: { weight_setting: entries } });
const missing = (names: readonly string[], found: readonly string[]) => ({
  code: 'metrics_missing',
  params: { missing: names, found },
});

describe('MetricsFilter', () => {
  filterTable(metricsFilter, {
    reproduces: {
      metrics_missing: {
        rejects: ({ missing: names, found }) =>
          (names as readonly string[]).some((name) => !(found as readonly string[]).includes(name)),
        unless: { missing: ['a'], found: ['a'] },
      },
      metric_too_old: {
        rejects: (params) => !(Number(params['age_seconds']) <= Number(params['limit'])),
        unless: { metric: 'a', age_seconds: 60, limit: 60 },
      },
    },
    rows: [
      {
        rule: 'every named metric must be reported',
        host: metrics('a', 'b', 'c'),
        options: asking('a=1', 'b=-1'),
        verdict: 'pass',
        flip: { host: metrics('a', 'c'), verdict: missing(['b'], ['a', 'c']) },
      },
      {
        rule: 'without settings every host passes',
        verdict: 'pass',
        flip: { options: asking('a=1'), verdict: missing(['a'], []) },
      },
      {
        rule: 'entries that do not parse ask for nothing',
        options: asking('a', 'a=x'),
        verdict: 'pass',
        flip: { options: asking('a', 'a=0'), verdict: missing(['a'], []) },
      },
      {
        rule: 'without an age limit an old metric counts',
        host: measured(0),
        options: asking('a=1'),
        env: { nowMs: 61_000 },
        verdict: 'pass',
        flip: {
          options: { metrics: { max_age: 60 } },
          verdict: { code: 'metric_too_old', params: { metric: 'a', age_seconds: 61, limit: 60 } },
        },
      },
      {
        rule: 'a metric exactly as old as the limit counts',
        host: measured(0),
        options: { metrics: { weight_setting: ['a=1'], max_age: 60 } },
        env: { nowMs: 60_000 },
        verdict: 'pass',
        flip: {
          env: { nowMs: 60_500 },
          verdict: { code: 'metric_too_old', params: { metric: 'a', age_seconds: 60.5, limit: 60 } },
        },
      },
      {
        rule: 'with an age limit a metric of unknown age does not count; the age of the report stands in',
        host: { ...measured(null), updatedAtMs: 0 },
        options: { metrics: { weight_setting: ['a=1'], max_age: 60 } },
        env: { nowMs: 60_000 },
        verdict: 'pass',
        flip: {
          host: { updatedAtMs: null },
          verdict: { code: 'metric_too_old', params: { metric: 'a', age_seconds: 'unknown', limit: 60 } },
        },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(metricsFilter.once).toBe(false));
});
