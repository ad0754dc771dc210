import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { diskRows, LARGER, NOT_ENOUGH } from './capacity-rules.fixture';
import { diskFilter } from './disk.filter';

describe('DiskFilter', () => {
  filterTable(diskFilter, {
    reproduces: { larger_than_host: LARGER, not_enough_disk: NOT_ENOUGH },
    // DiskFilter ignores the metadata of aggregates; the aggregate variant reads it.
    rows: diskRows((ratio) => ({
      diskAllocationRatio: ratio,
      aggregates: hostInAggregates('h', { disk_allocation_ratio: '99' }).aggregates,
    })),
  });

  it('warns that it is legacy', () => expect(diskFilter.warning).toMatch(/duplicates what placement decides/));
});
