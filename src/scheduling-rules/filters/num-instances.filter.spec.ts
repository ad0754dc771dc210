import { filterTable } from '../pipeline/rule-table.fixture';
import { numInstancesFilter } from './num-instances.filter';

const limitedTo = (limit: number) => ({ filter_scheduler: { max_instances_per_host: limit } });
const rejected = (actual: number, limit: number) => ({ code: 'too_many_instances', params: { actual, limit } });

describe('NumInstancesFilter', () => {
  filterTable(numInstancesFilter, {
    reproduces: {
      too_many_instances: {
        rejects: ({ actual, limit }) => Number(actual) >= Number(limit),
        unless: { actual: 49, limit: 50 },
      },
    },
    rows: [
      {
        rule: 'one instance less than the limit passes, as many as the limit do not',
        host: { numInstances: 2 },
        options: limitedTo(3),
        verdict: 'pass',
        flip: { host: { numInstances: 3 }, verdict: rejected(3, 3) },
      },
      {
        rule: 'the limit is 50 where nothing is configured',
        host: { numInstances: 49 },
        verdict: 'pass',
        flip: { host: { numInstances: 50 }, verdict: rejected(50, 50) },
      },
      {
        rule: 'a limit of 1 leaves room on an empty host only',
        host: { numInstances: 0 },
        options: limitedTo(1),
        verdict: 'pass',
        flip: { host: { numInstances: 1 }, verdict: rejected(1, 1) },
      },
      {
        rule: 'aggregate metadata is left to the aggregate variant',
        host: { numInstances: 2, aggregates: [{ uuid: 'a', name: 'a', metadata: { max_instances_per_host: '2' } }] },
        options: limitedTo(3),
        verdict: 'pass',
        flip: { host: { numInstances: 3 }, verdict: rejected(3, 3) },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(numInstancesFilter.once).toBe(false));
});
