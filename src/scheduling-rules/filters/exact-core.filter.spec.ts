import { filterTable } from '../pipeline/rule-table.fixture';
import { flavor } from './capacity-rules.fixture';
import { exactCoreFilter } from './exact-core.filter';

const differ = (wanted: number, found: number) => ({ code: 'vcpus_differ', params: { wanted, found } });

describe('ExactCoreFilter', () => {
  filterTable(exactCoreFilter, {
    reproduces: {
      no_vcpus_total: { rejects: ({ total }) => Number(total) <= 0, unless: { total: 1 } },
      vcpus_differ: { rejects: ({ wanted, found }) => wanted !== found, unless: { wanted: 2, found: 2 } },
    },
    rows: [
      {
        rule: 'exactly the vCPUs that are left, no more',
        host: { vcpusTotal: 4, vcpusUsed: 2 },
        spec: flavor({ vcpus: 2 }),
        verdict: 'pass',
        flip: { host: { vcpusUsed: 3 }, verdict: differ(2, 1) },
      },
      {
        rule: 'exactly the vCPUs that are left, no less; the ratio does not count',
        host: { vcpusTotal: 4, vcpusUsed: 2, cpuAllocationRatio: 16 },
        spec: flavor({ vcpus: 2 }),
        verdict: 'pass',
        flip: { host: { vcpusUsed: 1 }, verdict: differ(2, 3) },
      },
      {
        rule: 'a host that reports no vCPUs is rejected',
        host: { vcpusTotal: 0, vcpusUsed: -2 },
        spec: flavor({ vcpus: 2 }),
        verdict: { code: 'no_vcpus_total', params: { total: 0 } },
        flip: { host: { vcpusTotal: 1, vcpusUsed: -1 }, verdict: 'pass' },
      },
    ],
  });

  it('warns that it is legacy', () => expect(exactCoreFilter.warning).toMatch(/duplicates what placement decides/));
});
