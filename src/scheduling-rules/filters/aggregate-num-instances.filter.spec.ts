import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateNumInstancesFilter } from './aggregate-num-instances.filter';

const host = (numInstances: number, ...limits: readonly string[]) => ({
  numInstances,
  aggregates: hostInAggregates('h', ...limits.map((limit) => ({ max_instances_per_host: limit }))).aggregates,
});
const rejected = (actual: number, limit: number) => ({ code: 'too_many_instances', params: { actual, limit } });

describe('AggregateNumInstancesFilter', () => {
  filterTable(aggregateNumInstancesFilter, {
    reproduces: {
      too_many_instances: {
        rejects: ({ actual, limit }) => Number(actual) >= Number(limit),
        unless: { actual: 7, limit: 8 },
      },
    },
    rows: [
      {
        rule: 'without metadata the option counts',
        host: host(49),
        verdict: 'pass',
        flip: { host: host(50), verdict: rejected(50, 50) },
      },
      {
        rule: 'metadata beats the option',
        host: host(2, '3'),
        options: { filter_scheduler: { max_instances_per_host: 1 } },
        verdict: 'pass',
        flip: { host: host(2, '2'), verdict: rejected(2, 2) },
      },
      {
        rule: 'the smallest value of all aggregates counts',
        host: host(2, '3', '4'),
        verdict: 'pass',
        flip: { host: host(2, '3', '2'), verdict: rejected(2, 2) },
      },
      {
        rule: 'one value that is no integer makes all be ignored',
        host: host(2, '1', '5.0'),
        verdict: 'pass',
        flip: { host: host(2, '1', '5'), verdict: rejected(2, 1) },
      },
      {
        rule: 'the bounds of the option do not apply to metadata',
        host: host(0, '-1'),
        verdict: rejected(0, -1),
        flip: { host: host(0, '1'), verdict: 'pass' },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(aggregateNumInstancesFilter.once).toBe(false));
});
