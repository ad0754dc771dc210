import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateRamFilter } from './aggregate-ram.filter';
import { flavor, LARGER, NOT_ENOUGH, ramRows } from './capacity-rules.fixture';

const ratios = (...texts: readonly string[]) =>
  hostInAggregates('h', ...texts.map((text) => ({ ram_allocation_ratio: text }))).aggregates;
const HOST = { totalUsableRamMb: 4, freeRamMb: -2 };
const spec = flavor({ memoryMb: 2 });
const rejected = { code: 'not_enough_ram', params: { wanted: 2, total: 4, ratio: 1, used: 6 } };

describe('AggregateRamFilter', () => {
  filterTable(aggregateRamFilter, {
    reproduces: { larger_than_host: LARGER, not_enough_ram: NOT_ENOUGH },
    rows: [
      ...ramRows((ratio) => ({ ramAllocationRatio: 99, aggregates: ratios(`${ratio}`, '1e3') })),
      {
        rule: 'without metadata the ratio of the host counts',
        host: { ...HOST, ramAllocationRatio: 2 },
        spec,
        verdict: { passed: true, limits: { memoryMb: 8 } },
        flip: { host: { ramAllocationRatio: 1 }, verdict: rejected },
      },
      {
        rule: 'one ratio that is no number makes all be ignored',
        host: { ...HOST, ramAllocationRatio: 2, aggregates: ratios('1', 'oops') },
        spec,
        verdict: { passed: true, limits: { memoryMb: 8 } },
        flip: { host: { aggregates: ratios('1', '3') }, verdict: rejected },
      },
    ],
  });

  it('warns that it is legacy', () => expect(aggregateRamFilter.warning).toMatch(/duplicates what placement decides/));
});
