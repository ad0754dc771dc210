import { filterTable } from '../pipeline/rule-table.fixture';
import { flavor } from './capacity-rules.fixture';
import { exactRamFilter } from './exact-ram.filter';

const differs = (wanted: number, found: number) => ({ code: 'ram_differs', params: { wanted, found } });

describe('ExactRamFilter', () => {
  filterTable(exactRamFilter, {
    reproduces: {
      ram_differs: { rejects: ({ wanted, found }) => wanted !== found, unless: { wanted: 512, found: 512 } },
    },
    rows: [
      {
        rule: 'exactly the memory that is left, no more',
        host: { freeRamMb: 512 },
        spec: flavor({ memoryMb: 512 }),
        verdict: 'pass',
        flip: { host: { freeRamMb: 511 }, verdict: differs(512, 511) },
      },
      {
        rule: 'exactly the memory that is left, no less',
        host: { freeRamMb: 513 },
        spec: flavor({ memoryMb: 512 }),
        verdict: differs(512, 513),
        flip: { spec: flavor({ memoryMb: 513 }), verdict: 'pass' },
      },
    ],
  });

  it('warns that it is legacy', () => expect(exactRamFilter.warning).toMatch(/duplicates what placement decides/));
});
