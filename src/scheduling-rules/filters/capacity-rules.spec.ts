import { hostState, requestSpec, verdictOf } from '../pipeline/pipeline.fixture';
import { flavor } from './capacity-rules.fixture';
import { coreFilter } from './core.filter';
import { diskFilter } from './disk.filter';
import { ramFilter } from './ram.filter';

it('the worked example: vCPUs and disk suffice, memory does not', () => {
  const host = hostState({
    vcpusTotal: 4,
    vcpusUsed: 14,
    cpuAllocationRatio: 4,
    totalUsableRamMb: 4096,
    freeRamMb: -1024,
    ramAllocationRatio: 1.5,
    totalUsableDiskGb: 20,
    freeDiskMb: 5120,
    diskAllocationRatio: 2,
  });
  const spec = requestSpec(flavor({ vcpus: 2, memoryMb: 2048, rootGb: 10, ephemeralGb: 0, swapMb: 0 }));
  expect([coreFilter, ramFilter, diskFilter].map((filter) => verdictOf(filter, host, spec))).toEqual([
    'pass',
    'the flavor has 2048 MiB of memory; of 4096 × 1.5 the host uses 5120',
    'pass',
  ]);
});
