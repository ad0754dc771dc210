import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateDiskFilter } from './aggregate-disk.filter';
import { diskRows, flavor, LARGER, NOT_ENOUGH } from './capacity-rules.fixture';

const ratios = (...texts: readonly string[]) =>
  hostInAggregates('h', ...texts.map((text) => ({ disk_allocation_ratio: text }))).aggregates;
const HOST = { totalUsableDiskGb: 4, freeDiskMb: -2048 };
const spec = flavor({ rootGb: 2, ephemeralGb: 0, swapMb: 0 });
const rejected = { code: 'not_enough_disk', params: { wanted: 2048, total: 4096, ratio: 1, used: 6144 } };

describe('AggregateDiskFilter', () => {
  filterTable(aggregateDiskFilter, {
    reproduces: { larger_than_host: LARGER, not_enough_disk: NOT_ENOUGH },
    rows: [
      ...diskRows((ratio) => ({ diskAllocationRatio: 99, aggregates: ratios(`${ratio}`, '1e3') })),
      {
        rule: 'without metadata the ratio of the host counts',
        host: { ...HOST, diskAllocationRatio: 2 },
        spec,
        verdict: { passed: true, limits: { diskGb: 8 } },
        flip: { host: { diskAllocationRatio: 1 }, verdict: rejected },
      },
      {
        rule: 'one ratio that is no number makes all be ignored',
        host: { ...HOST, diskAllocationRatio: 2, aggregates: ratios('1', 'oops') },
        spec,
        verdict: { passed: true, limits: { diskGb: 8 } },
        flip: { host: { aggregates: ratios('1', '3') }, verdict: rejected },
      },
    ],
  });

  it('warns that it is legacy', () => expect(aggregateDiskFilter.warning).toMatch(/duplicates what placement decides/));
});
