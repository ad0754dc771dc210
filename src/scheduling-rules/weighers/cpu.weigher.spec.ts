import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { cpuWeigher } from './cpu.weigher';

const host = (vcpusTotal: number, vcpusUsed: number, cpuAllocationRatio = 4) => ({
  vcpusTotal,
  vcpusUsed,
  cpuAllocationRatio,
});
const KEY = 'cpu_weight_multiplier';

describe('CPUWeigher', () => {
  weigherTable(cpuWeigher, [
    {
      rule: 'free vCPUs count with the ratio, scaled from 0; negative ones count as none',
      hosts: { A: host(8, 2), B: host(8, 0), C: host(4, 20) },
      outcome: {
        raw: { A: 30, B: 32, C: -4 },
        normalized: { A: 0.9375, B: 1, C: 0 },
        score: { A: 0.9375, B: 1, C: 0 },
        order: ['B', 'A', 'C'],
      },
      flip: { hosts: { B: host(8, 4) }, outcome: { raw: { A: 30, B: 28 }, order: ['A', 'B', 'C'] } },
    },
    {
      rule: 'the ratio of each host counts',
      hosts: { A: host(8, 0, 1), B: host(4, 0, 4) },
      outcome: { raw: { A: 8, B: 16 }, order: ['B', 'A'] },
      flip: { hosts: { A: host(8, 0, 4) }, outcome: { raw: { A: 32, B: 16 }, order: ['A', 'B'] } },
    },
    {
      rule: 'equal hosts get 1, since the minimum is fixed',
      hosts: { A: host(8, 0), B: host(8, 0) },
      outcome: { normalized: { A: 1, B: 1 } },
      flip: { hosts: { B: host(8, 16) }, outcome: { normalized: { A: 1, B: 0.5 } } },
    },
    {
      rule: 'aggregates override the multiplier',
      hosts: { A: host(8, 0), B: host(4, 0) },
      options: { filter_scheduler: { [KEY]: 2 } },
      outcome: { score: { A: 2, B: 1 }, order: ['A', 'B'] },
      flip: {
        hosts: { A: { aggregates: hostInAggregates('A', { [KEY]: '-1' }).aggregates } },
        outcome: { score: { A: -1, B: 1 }, order: ['B', 'A'] },
      },
    },
    {
      rule: 'as shares, a small empty host beats a big half-full one',
      hosts: { big: host(8, 16), small: host(1, 0) },
      options: { filter_scheduler: { share_based_weights: true } },
      outcome: { raw: { big: 0.5, small: 1 }, order: ['small', 'big'] },
      flip: {
        options: { filter_scheduler: { share_based_weights: false } },
        outcome: { raw: { big: 16, small: 4 }, order: ['big', 'small'] },
      },
    },
  ]);
});
