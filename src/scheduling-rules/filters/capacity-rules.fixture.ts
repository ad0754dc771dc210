// Test rows shared by a capacity filter and its aggregate variant; only the source of the ratio differs. Not part of
// the product.

import type { RejectionParams } from '../../placement/candidate-search';
import type { HostState } from '../host-state/host-state';
import { requestSpec } from '../pipeline/pipeline.fixture';
import type { FilterRow, Reproduction } from '../pipeline/rule-table.fixture';
import type { Flavor } from '../request-spec/request-spec';

/** A host whose ratio for the resource is `ratio`, at the place where the filter reads it. */
type RatioOf = (ratio: number) => Partial<HostState>;

export const flavor = (given: Partial<Flavor>) => ({ flavor: { ...requestSpec().flavor, ...given } });

export const LARGER: Reproduction = {
  rejects: ({ wanted, total }) => Number(wanted) > Number(total),
  unless: { wanted: 4, total: 4, ratio: 1, used: 0 },
};
export const NOT_ENOUGH: Reproduction = {
  rejects: ({ wanted, total, ratio, used }: RejectionParams) =>
    Number(total) * Number(ratio) - Number(used) < Number(wanted),
  unless: { wanted: 2, total: 4, ratio: 4, used: 14 },
};

export function coreRows(withRatio: RatioOf): readonly FilterRow[] {
  const host = (vcpusTotal: number, vcpusUsed: number, ratio = 4) => ({ vcpusTotal, vcpusUsed, ...withRatio(ratio) });
  return [
    {
      rule: 'vCPUs count by the ratio: 4 × 4 − 14 leaves 2',
      host: host(4, 14),
      spec: flavor({ vcpus: 2 }),
      verdict: { passed: true, limits: { vcpu: 16 } },
      flip: {
        host: host(4, 15),
        verdict: { code: 'not_enough_vcpus', params: { wanted: 2, total: 4, ratio: 4, used: 15 } },
      },
    },
    {
      rule: 'an instance never overcommits against itself',
      host: host(4, 0),
      spec: flavor({ vcpus: 4 }),
      verdict: { passed: true, limits: { vcpu: 16 } },
      flip: {
        spec: flavor({ vcpus: 5 }),
        verdict: { code: 'larger_than_host', params: { wanted: 5, total: 4, ratio: 4, used: 0 } },
      },
    },
    {
      rule: 'a host that reports no vCPUs passes, and says so',
      host: host(0, 0),
      spec: flavor({ vcpus: 2 }),
      verdict: { passed: true, note: { code: 'no_vcpus_total', params: {} }, limits: {} },
      flip: {
        host: host(1, 0),
        verdict: { code: 'larger_than_host', params: { wanted: 2, total: 1, ratio: 4, used: 0 } },
      },
    },
    {
      rule: 'a ratio of 0 leaves nothing',
      host: host(4, 0, 0),
      spec: flavor({ vcpus: 5 }),
      verdict: { code: 'not_enough_vcpus', params: { wanted: 5, total: 4, ratio: 0, used: 0 } },
      flip: {
        host: host(5, 0, 1),
        verdict: { passed: true, limits: { vcpu: 5 } },
      },
    },
  ];
}

export function ramRows(withRatio: RatioOf): readonly FilterRow[] {
  const host = (totalUsableRamMb: number, freeRamMb: number, ratio = 1.5) => ({
    totalUsableRamMb,
    freeRamMb,
    ...withRatio(ratio),
  });
  return [
    {
      rule: 'memory counts by the ratio: 4096 × 1.5 − 5120 leaves 1024',
      host: host(4096, -1024),
      spec: flavor({ memoryMb: 1024 }),
      verdict: { passed: true, limits: { memoryMb: 6144 } },
      flip: {
        spec: flavor({ memoryMb: 2048 }),
        verdict: { code: 'not_enough_ram', params: { wanted: 2048, total: 4096, ratio: 1.5, used: 5120 } },
      },
    },
    {
      rule: 'an instance never overcommits against itself',
      host: host(4096, 4096),
      spec: flavor({ memoryMb: 4096 }),
      verdict: { passed: true, limits: { memoryMb: 6144 } },
      flip: {
        spec: flavor({ memoryMb: 4097 }),
        verdict: { code: 'larger_than_host', params: { wanted: 4097, total: 4096, ratio: 1.5, used: 0 } },
      },
    },
  ];
}

export function diskRows(withRatio: RatioOf): readonly FilterRow[] {
  const host = (totalUsableDiskGb: number, freeDiskMb: number, ratio = 2) => ({
    totalUsableDiskGb,
    freeDiskMb,
    ...withRatio(ratio),
  });
  const disk = (rootGb: number, ephemeralGb = 0, swapMb = 0) => flavor({ rootGb, ephemeralGb, swapMb });
  return [
    {
      rule: 'disk counts by the ratio: 25 × 2 − 25 leaves 25',
      host: host(25, 0),
      spec: disk(25),
      verdict: { passed: true, limits: { diskGb: 50 } },
      flip: {
        host: host(25, -1),
        verdict: { code: 'not_enough_disk', params: { wanted: 25600, total: 25600, ratio: 2, used: 25601 } },
      },
    },
    {
      rule: 'root, ephemeral and swap count together',
      host: host(20, 10240, 1),
      spec: disk(8, 1, 1024),
      verdict: { passed: true, limits: { diskGb: 20 } },
      flip: {
        spec: disk(8, 1, 1025),
        verdict: { code: 'not_enough_disk', params: { wanted: 10241, total: 20480, ratio: 1, used: 10240 } },
      },
    },
    {
      rule: 'the root disk counts for instances booted from a volume as well',
      host: host(20, 20480, 1),
      spec: { ...disk(20), isBfv: true },
      verdict: { passed: true, limits: { diskGb: 20 } },
      flip: {
        spec: disk(21),
        verdict: { code: 'larger_than_host', params: { wanted: 21504, total: 20480, ratio: 1, used: 0 } },
      },
    },
  ];
}
