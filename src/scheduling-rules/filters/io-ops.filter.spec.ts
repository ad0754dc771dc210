import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { ioOpsFilter } from './io-ops.filter';

const rejected = (actual: number, limit: number) => ({ code: 'too_many_io_ops', params: { actual, limit } });

describe('IoOpsFilter', () => {
  filterTable(ioOpsFilter, {
    reproduces: {
      too_many_io_ops: {
        rejects: ({ actual, limit }) => Number(actual) >= Number(limit),
        unless: { actual: 7, limit: 8 },
      },
    },
    rows: [
      {
        rule: 'one operation less than the limit passes, as many as the limit do not; the limit is 8 by default',
        host: { numIoOps: 7 },
        verdict: 'pass',
        flip: { host: { numIoOps: 8 }, verdict: rejected(8, 8) },
      },
      {
        rule: 'a limit of 0 rejects idle hosts as well',
        options: { filter_scheduler: { max_io_ops_per_host: 0 } },
        verdict: rejected(0, 0),
        flip: { options: { filter_scheduler: { max_io_ops_per_host: 1 } }, verdict: 'pass' },
      },
      {
        rule: 'aggregate metadata is left to the aggregate variant',
        host: { numIoOps: 7, aggregates: hostInAggregates('h', { max_io_ops_per_host: '1' }).aggregates },
        verdict: 'pass',
        flip: { host: { numIoOps: 9 }, verdict: rejected(9, 8) },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(ioOpsFilter.once).toBe(false));
});
