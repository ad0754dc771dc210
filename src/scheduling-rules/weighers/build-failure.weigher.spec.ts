import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { buildFailureWeigher } from './build-failure.weigher';

const failed = (failedBuilds: number, at?: string) => ({
  failedBuilds,
  stats: at === undefined ? {} : { last_failed_build_at: at },
});
const HALF_LIFE = { filter_scheduler: { build_failure_half_life: 100, build_failure_weight_multiplier: 1 } };
const env = { nowMs: 1_000_000 };

const aggregates = (multiplier: string) =>
  hostInAggregates('B', { build_failure_weight_multiplier: multiplier }).aggregates;

describe('BuildFailureWeigher', () => {
  weigherTable(buildFailureWeigher, [
    {
      rule: 'a host with one failure loses a million points, whatever the number, against one with none',
      hosts: { A: failed(0), B: failed(1) },
      outcome: { raw: { A: 0, B: 1 }, score: { B: -1_000_000 }, order: ['A', 'B'] },
      flip: { hosts: { A: failed(2) }, outcome: { raw: { A: 2, B: 1 }, score: { A: -1_000_000 }, order: ['B', 'A'] } },
    },
    {
      rule: 'the host with fewest failures is not penalised; equal failures penalise no host',
      hosts: { A: failed(3), B: failed(1) },
      outcome: { normalized: { A: 1, B: 0 }, order: ['B', 'A'] },
      flip: { hosts: { A: failed(1) }, outcome: { normalized: { A: 0, B: 0 }, order: ['A', 'B'] } },
    },
    {
      rule: 'the multiplier of aggregates is used negated as well',
      hosts: { A: failed(0), B: { ...failed(1), aggregates: aggregates('5') } },
      outcome: { score: { B: -5 }, order: ['A', 'B'] },
      flip: { hosts: { B: { aggregates: aggregates('-5') } }, outcome: { score: { B: 5 }, order: ['B', 'A'] } },
    },
    {
      rule: 'with a half-life failures fade with time; seconds since the epoch',
      hosts: { A: failed(1, '1000'), B: failed(2, '800') },
      options: HALF_LIFE,
      env,
      outcome: { raw: { A: 1, B: 0.5 }, order: ['B', 'A'] },
      flip: {
        options: { filter_scheduler: { build_failure_half_life: 0 } },
        outcome: { raw: { A: 1, B: 2 }, order: ['A', 'B'] },
      },
    },
    {
      rule: 'with a half-life failures fade with time; an ISO time',
      hosts: { A: failed(1), B: failed(4, '1970-01-01T00:15:00Z') },
      options: HALF_LIFE,
      env,
      outcome: { raw: { A: 1, B: 2 }, order: ['A', 'B'] },
      flip: { hosts: { B: failed(4, '1970-01-01T00:10:00Z') }, outcome: { raw: { A: 1, B: 0.25 }, order: ['B', 'A'] } },
    },
    {
      rule: 'with a half-life failures without a time do not fade, and none from the future grows',
      hosts: { A: failed(1), B: failed(2, 'yesterday'), C: failed(3, '1100'), D: failed(1, ' ') },
      options: HALF_LIFE,
      env,
      outcome: { raw: { A: 1, B: 2, C: 3, D: 1 } },
      flip: { hosts: { B: failed(2, '900') }, outcome: { raw: { A: 1, B: 1, C: 3, D: 1 } } },
    },
  ]);
});
