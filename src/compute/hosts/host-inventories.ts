// Computes the inventories of a root provider from a host's report. Pure.
import type { InventoryRecord } from '../../placement/domain/inventory';
import { MAX_INT, MIB_PER_GIB } from '../../placement/domain/inventory';
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';

interface InitialRatios {
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
}

interface HostInventories {
  readonly records: ReadonlyMap<string, InventoryRecord>;
  /** Resource classes that the report lists with a total of 0. */
  readonly removed: readonly string[];
}

/**
 * VCPU comes from the shared CPUs: those of the NUMA cells if the report has cells, otherwise all. PCPU comes from the
 * dedicated CPUs; MEMORY_MB and DISK_GB from the totals. A class that the report does not mention is in neither part. A
 * missing ratio, or a ratio of 0, is replaced with the initial ratio.
 */
export function hostInventoriesOf(report: HostReport, initial: InitialRatios): HostInventories {
  const cells = report.numaTopology?.cells;
  const cpusOf = (sets: readonly (readonly number[])[] | undefined): number | null =>
    sets === undefined ? null : new Set(sets.flat()).size;
  const reservedDiskGb = Math.ceil((report.reservedHostDiskMb ?? 0) / MIB_PER_GIB);
  const amounts = [
    {
      name: 'VCPU',
      total: cpusOf(cells?.map((cell) => cell.cpuset)) ?? report.vcpusTotal,
      reserved: report.reservedHostCpus ?? 0,
      ratio: report.cpuAllocationRatio || initial.cpu || 1,
    },
    { name: 'PCPU', total: cpusOf(cells?.map((cell) => cell.pcpuset)), reserved: 0, ratio: 1 },
    {
      name: 'MEMORY_MB',
      total: report.memoryMb,
      reserved: report.reservedHostMemoryMb ?? 0,
      ratio: report.ramAllocationRatio || initial.ram || 1,
    },
    {
      name: 'DISK_GB',
      total: report.localGb,
      reserved: reservedDiskGb,
      ratio: report.diskAllocationRatio || initial.disk || 1,
    },
  ];
  const spoken = amounts.flatMap(({ name, total, reserved, ratio }) =>
    total === null ? [] : [{ name, total: Math.min(total, MAX_INT), reserved, ratio }],
  );
  return {
    records: new Map(
      spoken
        .filter(({ total }) => total > 0)
        .map(({ name, total, reserved, ratio }) => [
          name,
          // Caps `reserved` at `total`: if more is reserved than exists, no capacity is left.
          {
            total,
            reserved: Math.min(reserved, total),
            minUnit: 1,
            maxUnit: total,
            stepSize: 1,
            allocationRatio: ratio,
          },
        ]),
    ),
    removed: spoken.filter(({ total }) => total === 0).map(({ name }) => name),
  };
}
