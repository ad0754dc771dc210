import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { metricsWeigher } from './metrics.weigher';

const metrics = (values: Readonly<Record<string, number>>, measuredAtMs: number | null = null) => ({
  metrics: Object.entries(values).map(([name, value]) => ({ name, value, unit: null, measuredAtMs })),
});
const asking = (settings: readonly string[], more: Readonly<Record<string, unknown>> = {}) => ({
  metrics: { weight_setting: settings, ...more },
});
const aggregates = (multiplier: string) => hostInAggregates('A', { metrics_weight_multiplier: multiplier }).aggregates;
const OPTIONAL = { required: false };

describe('MetricsWeigher', () => {
  weigherTable(metricsWeigher, [
    {
      rule: 'each metric counts times its ratio',
      hosts: { A: metrics({ m1: 10, m2: 4 }), B: metrics({ m1: 0, m2: 0 }) },
      options: asking(['m1=2', 'm2=-1']),
      outcome: { raw: { A: 16, B: 0 }, order: ['A', 'B'] },
      flip: { hosts: { A: metrics({ m1: 10, m2: 21 }) }, outcome: { raw: { A: -1, B: 0 }, order: ['B', 'A'] } },
    },
    {
      rule: 'a required metric that is missing fails the host alone',
      hosts: { A: metrics({ m1: 1 }), B: metrics({ m1: 2 }), C: { ...metrics({}), node: 'n' } },
      options: asking(['m1=1']),
      outcome: {
        raw: { A: 1, B: 2, C: null },
        score: { A: 0, B: 1, C: 0 },
        errors: { C: 'Metric m1 could not be found on the compute host node C.n.' },
      },
      flip: { hosts: { C: metrics({ m1: 3 }) }, outcome: { raw: { A: 1, B: 2, C: 3 } } },
    },
    {
      rule: 'where metrics are not required a missing one is all that counts',
      hosts: { A: metrics({ m1: 10, m2: 4 }), B: metrics({ m1: 99 }), C: metrics({ m1: 0, m2: 0 }) },
      options: asking(['m1=2', 'm2=-1'], OPTIONAL),
      outcome: {
        raw: { A: 16, B: -10_000, C: 0 },
        normalized: { A: 1, B: 0, C: 10_000 / 10_016 },
        order: ['A', 'C', 'B'],
      },
      flip: {
        hosts: { B: metrics({ m1: 99, m2: 0 }) },
        outcome: { raw: { A: 16, B: 198, C: 0 }, order: ['B', 'A', 'C'] },
      },
    },
    {
      rule: 'a missing metric with ratio 0 is skipped',
      hosts: { A: metrics({ m1: 1 }), B: metrics({ m1: 2 }) },
      options: asking(['m1=1', 'm2=0'], OPTIONAL),
      outcome: { raw: { A: 1, B: 2 } },
      flip: { options: asking(['m1=1', 'm2=0.1']), outcome: { raw: { A: -10_000, B: -10_000 } } },
    },
    {
      rule: 'a missing metric is skipped for hosts whose multiplier is 0',
      hosts: { A: { ...metrics({ m1: 1 }), aggregates: aggregates('0') }, B: metrics({ m1: 2, m2: 1 }) },
      options: asking(['m1=1', 'm2=1'], OPTIONAL),
      outcome: { raw: { A: 1, B: 3 } },
      flip: { hosts: { A: { aggregates: aggregates('2') } }, outcome: { raw: { A: -10_000, B: 3 } } },
    },
    {
      rule: 'the value of a missing metric is configured',
      hosts: { A: metrics({}), B: metrics({ m1: 5 }) },
      options: asking(['m1=1'], { ...OPTIONAL, weight_of_unavailable: 7 }),
      outcome: { raw: { A: 7, B: 5 }, order: ['A', 'B'] },
      flip: {
        options: asking(['m1=1'], { weight_of_unavailable: 4 }),
        outcome: { raw: { A: 4, B: 5 }, order: ['B', 'A'] },
      },
    },
    {
      rule: 'a metric that is there with ratio 0 adds 0, and entries that do not parse are dropped',
      hosts: { A: metrics({ m1: 5 }), B: metrics({ m1: 1 }) },
      options: asking(['m1=0', 'm2', 'm3=x']),
      outcome: { raw: { A: 0, B: 0 } },
      flip: { options: asking(['m1=1', 'm2', 'm3=x']), outcome: { raw: { A: 5, B: 1 } } },
    },
    {
      rule: 'a metric older than the age limit is missing',
      hosts: { A: metrics({ m1: 5 }, 40_000), B: metrics({ m1: 1 }, 100_000) },
      options: asking(['m1=1'], { ...OPTIONAL, max_age: 60 }),
      env: { nowMs: 100_000 },
      outcome: { raw: { A: 5, B: 1 }, order: ['A', 'B'] },
      flip: { hosts: { A: metrics({ m1: 5 }, 39_999) }, outcome: { raw: { A: -10_000, B: 1 }, order: ['B', 'A'] } },
    },
    {
      rule: 'the multiplier is that of the metrics group',
      hosts: { A: metrics({ m1: 5 }), B: metrics({ m1: 1 }) },
      options: asking(['m1=1']),
      outcome: { score: { A: 1, B: 0 }, order: ['A', 'B'] },
      flip: {
        options: asking(['m1=1'], { weight_multiplier: -3 }),
        outcome: { score: { A: -3, B: 0 }, order: ['B', 'A'] },
      },
    },
  ]);
});
