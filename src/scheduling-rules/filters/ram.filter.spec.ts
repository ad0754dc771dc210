import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { LARGER, NOT_ENOUGH, ramRows } from './capacity-rules.fixture';
import { ramFilter } from './ram.filter';

describe('RamFilter', () => {
  filterTable(ramFilter, {
    reproduces: { larger_than_host: LARGER, not_enough_ram: NOT_ENOUGH },
    // RamFilter ignores the metadata of aggregates; the aggregate variant reads it.
    rows: ramRows((ratio) => ({
      ramAllocationRatio: ratio,
      aggregates: hostInAggregates('h', { ram_allocation_ratio: '99' }).aggregates,
    })),
  });

  it('warns that it is legacy', () => expect(ramFilter.warning).toMatch(/duplicates what placement decides/));
});
