import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateCoreFilter } from './aggregate-core.filter';
import { coreRows, flavor, LARGER, NOT_ENOUGH } from './capacity-rules.fixture';

const ratios = (...texts: readonly string[]) =>
  hostInAggregates('h', ...texts.map((text) => ({ cpu_allocation_ratio: text }))).aggregates;
const HOST = { vcpusTotal: 4, vcpusUsed: 6 };
const spec = flavor({ vcpus: 2 });
const rejected = { code: 'not_enough_vcpus', params: { wanted: 2, total: 4, ratio: 1, used: 6 } };

describe('AggregateCoreFilter', () => {
  filterTable(aggregateCoreFilter, {
    reproduces: { larger_than_host: LARGER, not_enough_vcpus: NOT_ENOUGH },
    rows: [
      ...coreRows((ratio) => ({ cpuAllocationRatio: 99, aggregates: ratios(`${ratio}`, '1e3') })),
      {
        rule: 'without metadata the ratio of the host counts',
        host: { ...HOST, cpuAllocationRatio: 2 },
        spec,
        verdict: { passed: true, limits: { vcpu: 8 } },
        flip: { host: { cpuAllocationRatio: 1 }, verdict: rejected },
      },
      {
        rule: 'one ratio that is no number makes all be ignored',
        host: { ...HOST, cpuAllocationRatio: 2, aggregates: ratios('1', 'oops') },
        spec,
        verdict: { passed: true, limits: { vcpu: 8 } },
        flip: { host: { aggregates: ratios('1', '3') }, verdict: rejected },
      },
    ],
  });

  it('warns that it is legacy', () => expect(aggregateCoreFilter.warning).toMatch(/duplicates what placement decides/));
});
