import { requestSpec } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { bestFitWeigher } from './best-fit.weigher';

const flavor = (vcpus: number, memoryMb: number, rootGb: number) => ({
  flavor: { ...requestSpec().flavor, vcpus, memoryMb, rootGb, ephemeralGb: 0, swapMb: 0 },
});
const host = (vcpusTotal: number, freeRamMb: number, freeDiskMb: number) => ({
  vcpusTotal,
  vcpusUsed: 0,
  cpuAllocationRatio: 1,
  totalUsableRamMb: 1000,
  freeRamMb,
  totalUsableDiskGb: 10,
  freeDiskMb,
});
const ON = { filter_scheduler: { best_fit_weight_multiplier: 1 } };

describe('BestFitWeigher', () => {
  weigherTable(bestFitWeigher, [
    {
      rule: 'the host of which the smallest share is left is best, on average over vCPUs, memory and disk',
      hosts: { full: host(2, 500, 5120), empty: host(4, 1000, 10240) },
      spec: flavor(2, 500, 5),
      options: ON,
      outcome: { raw: { full: 0, empty: -0.5 }, order: ['full', 'empty'] },
      flip: {
        hosts: { empty: host(2, 250, 5120) },
        outcome: { raw: { full: 0, empty: 0.25 / 3 }, order: ['empty', 'full'] },
      },
    },
    {
      rule: 'off by default',
      hosts: { b: host(2, 500, 5120), a: host(4, 1000, 10240) },
      spec: flavor(2, 500, 5),
      outcome: { score: { a: 0, b: 0 }, order: ['a', 'b'] },
      flip: { options: ON, outcome: { score: { a: 0, b: 1 }, order: ['b', 'a'] } },
    },
    {
      rule: 'resources that a host lacks do not count',
      hosts: { a: { totalUsableRamMb: 1000, freeRamMb: 500 }, b: {} },
      spec: flavor(2, 250, 5),
      options: ON,
      outcome: { raw: { a: -0.25, b: 0 } },
      flip: { hosts: { b: { totalUsableRamMb: 1000, freeRamMb: 1000 } }, outcome: { raw: { a: -0.25, b: -0.75 } } },
    },
    {
      rule: 'the root disk does not count for instances booted from a volume',
      hosts: { a: { totalUsableDiskGb: 10, freeDiskMb: 10240 }, b: {} },
      spec: flavor(2, 250, 5),
      options: ON,
      outcome: { raw: { a: -0.5, b: 0 } },
      flip: { spec: { isBfv: true }, outcome: { raw: { a: -1, b: 0 } } },
    },
    {
      rule: 'the ratio of the host widens its vCPUs',
      hosts: { a: { vcpusTotal: 4, vcpusUsed: 0, cpuAllocationRatio: 1 }, b: {} },
      spec: flavor(2, 250, 5),
      options: ON,
      outcome: { raw: { a: -0.5, b: 0 } },
      flip: { hosts: { a: { cpuAllocationRatio: 2 } }, outcome: { raw: { a: -0.75, b: 0 } } },
    },
  ]);
});
