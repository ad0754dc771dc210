import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { diskWeigher } from './disk.weigher';

const host = (freeDiskMb: number, totalUsableDiskGb = 0) => ({ freeDiskMb, totalUsableDiskGb });
const KEY = 'disk_weight_multiplier';

describe('DiskWeigher', () => {
  weigherTable(diskWeigher, [
    {
      rule: 'free disk is scaled from 0 to the largest',
      hosts: { A: host(102400), B: host(51200), C: host(102400), D: host(-1) },
      outcome: { normalized: { A: 1, B: 0.5, C: 1, D: 0 }, order: ['A', 'C', 'B', 'D'] },
      flip: { hosts: { B: host(204800) }, outcome: { normalized: { A: 0.5, B: 1 }, order: ['B', 'A', 'C', 'D'] } },
    },
    {
      rule: 'a negative multiplier stacks',
      hosts: { A: host(102400), B: host(51200) },
      options: { filter_scheduler: { [KEY]: -2 } },
      outcome: { score: { A: -2, B: -1 }, order: ['B', 'A'] },
      flip: {
        hosts: { B: { aggregates: hostInAggregates('B', { [KEY]: '-5' }).aggregates } },
        outcome: { score: { A: -2, B: -2.5 }, order: ['A', 'B'] },
      },
    },
    {
      rule: 'as shares, a small empty host beats a big half-full one',
      hosts: { big: host(4096, 8), small: host(1024, 1) },
      options: { filter_scheduler: { share_based_weights: true } },
      outcome: { raw: { big: 0.5, small: 1 }, order: ['small', 'big'] },
      flip: {
        options: { filter_scheduler: { share_based_weights: false } },
        outcome: { raw: { big: 4096, small: 1024 }, order: ['big', 'small'] },
      },
    },
  ]);
});
