import { filterTable } from '../pipeline/rule-table.fixture';
import { flavor } from './capacity-rules.fixture';
import { exactDiskFilter } from './exact-disk.filter';

const differs = (wanted: number, found: number) => ({ code: 'disk_differs', params: { wanted, found } });
const disk = (rootGb: number, ephemeralGb: number, swapMb: number) => flavor({ rootGb, ephemeralGb, swapMb });

describe('ExactDiskFilter', () => {
  filterTable(exactDiskFilter, {
    reproduces: {
      disk_differs: { rejects: ({ wanted, found }) => wanted !== found, unless: { wanted: 512, found: 512 } },
    },
    rows: [
      {
        rule: 'root, ephemeral and swap are exactly the disk that is left, no more',
        host: { freeDiskMb: 3077 },
        spec: disk(1, 2, 5),
        verdict: 'pass',
        flip: { host: { freeDiskMb: 3076 }, verdict: differs(3077, 3076) },
      },
      {
        rule: 'root, ephemeral and swap are exactly the disk that is left, no less',
        host: { freeDiskMb: 3078 },
        spec: disk(1, 2, 5),
        verdict: differs(3077, 3078),
        flip: { spec: disk(1, 2, 6), verdict: 'pass' },
      },
    ],
  });

  it('warns that it is legacy', () => expect(exactDiskFilter.warning).toMatch(/duplicates what placement decides/));
});
