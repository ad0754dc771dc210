import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { coreRows, LARGER, NOT_ENOUGH } from './capacity-rules.fixture';
import { coreFilter } from './core.filter';

describe('CoreFilter', () => {
  filterTable(coreFilter, {
    reproduces: { larger_than_host: LARGER, not_enough_vcpus: NOT_ENOUGH },
    // CoreFilter ignores the metadata of aggregates; the aggregate variant reads it.
    rows: coreRows((ratio) => ({
      cpuAllocationRatio: ratio,
      aggregates: hostInAggregates('h', { cpu_allocation_ratio: '99' }).aggregates,
    })),
  });

  it('warns that it is legacy', () => expect(coreFilter.warning).toMatch(/duplicates what placement decides/));
});
