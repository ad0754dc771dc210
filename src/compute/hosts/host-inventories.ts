// Computes the inventories of a root provider from a host's report. Pure.
import type { InventoryRecord } from '../../placement/domain/inventory';
import { MAX_INT, MIB_PER_GIB } from '../../placement/domain/inventory';
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';

interface Ratios {
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
}

/** Allocation ratios of the configuration; 0: not set. */
export interface ConfiguredRatios {
  /** For new inventories. */
  readonly initial: Ratios;
  /** For every inventory whose ratio the report does not name. */
  readonly fixed: Ratios;
}

/** The record to store, by the stored one; undefined: there is none. */
type RecordOf = (before: InventoryRecord | undefined) => InventoryRecord;

/**
 * VCPU comes from the shared CPUs: those of the NUMA cells if the report has cells, otherwise all. PCPU comes from the
 * dedicated CPUs; MEMORY_MB and DISK_GB from the totals. A class that the report does not mention is in neither part.
 * What the report does not name stays as it is stored: the reserved amount, units and the ratio, unless the
 * configuration fixes the ratio. As in nova, initial ratios are for new inventories only.
 */
export function hostInventoriesOf(report: HostReport, { initial, fixed }: ConfiguredRatios) {
  const cells = report.numaTopology?.cells;
  const cpusOf = (sets: readonly (readonly number[])[] | undefined): number | null =>
    sets === undefined ? null : new Set(sets.flat()).size;
  const { reservedHostDiskMb: reservedDiskMb } = report;
  const amounts = [
    {
      name: 'VCPU',
      total: cpusOf(cells?.map((cell) => cell.cpuset)) ?? report.vcpusTotal,
      reserved: report.reservedHostCpus,
      ratio: report.cpuAllocationRatio || fixed.cpu,
      initialRatio: initial.cpu,
    },
    { name: 'PCPU', total: cpusOf(cells?.map((cell) => cell.pcpuset)), reserved: null, ratio: 0, initialRatio: 1 },
    {
      name: 'MEMORY_MB',
      total: report.memoryMb,
      reserved: report.reservedHostMemoryMb,
      ratio: report.ramAllocationRatio || fixed.ram,
      initialRatio: initial.ram,
    },
    {
      name: 'DISK_GB',
      total: report.localGb,
      reserved: reservedDiskMb === null ? null : Math.ceil(reservedDiskMb / MIB_PER_GIB),
      ratio: report.diskAllocationRatio || fixed.disk,
      initialRatio: initial.disk,
    },
  ];
  const records = new Map<string, RecordOf>();
  /** Resource classes that the report lists with a total of 0. */
  const removed: string[] = [];
  for (const { name, total: reported, reserved, ratio, initialRatio } of amounts) {
    if (reported === 0) removed.push(name);
    if (reported === null || reported === 0) continue;
    const total = Math.min(reported, MAX_INT);
    records.set(name, (before) => ({
      total,
      // If more is reserved than exists, no capacity is left.
      reserved: Math.min(reserved ?? before?.reserved ?? 0, total),
      minUnit: before?.minUnit ?? 1,
      // A largest amount other than the total is the choice of an operator.
      maxUnit: before === undefined || before.maxUnit === before.total ? total : before.maxUnit,
      stepSize: before?.stepSize ?? 1,
      allocationRatio: ratio || (before?.allocationRatio ?? (initialRatio || 1)),
    }));
  }
  return { records, removed };
}
