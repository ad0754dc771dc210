// In which order the cells of a host are tried, where it has more than the instance needs: by free memory, then by CPUs,
// then by PCI devices, each sort stable, so the last one is the primary key.

import type { PciPool } from '../pci/pci-pool';
import type { HostNumaCell, InstanceNumaTopology } from './numa-topology';
import { freeCpus } from './pin-cpus';

export interface OrderTerms {
  /** Fullest cells first instead of emptiest. */
  readonly packing: boolean;
  /** Null: the host reports no PCI data, and the order is left to memory and CPUs. */
  readonly pciPools: readonly PciPool[] | null;
  readonly asksPci: boolean;
}

export function orderCells(
  cells: readonly HostNumaCell[],
  asked: InstanceNumaTopology,
  { packing, pciPools, asksPci }: OrderTerms,
): readonly HostNumaCell[] {
  const emptiestFirst = packing ? -1 : 1;
  const isPinned = asked.cells.some(({ cpuPolicy }) => cpuPolicy === 'dedicated' || cpuPolicy === 'mixed');
  const emptiness = isPinned
    ? (cell: HostNumaCell): number => freeCpus(cell).size
    : (cell: HostNumaCell): number => -cell.cpuUsage;
  const sorted = descending(cells, (cell) => emptiestFirst * (cell.memoryMb - cell.memoryUsageMb));
  const byCpu = descending(sorted, (cell) => emptiestFirst * emptiness(cell));
  if (pciPools === null) return byCpu;
  const devices = devicesByCell(pciPools);
  return descending(byCpu, ({ id }) => (asksPci ? 1 : -1) * (devices.get(id) ?? 0));
}

function devicesByCell(pools: readonly PciPool[]): ReadonlyMap<number, number> {
  const devices = new Map<number, number>();
  for (const { numaNode, count } of pools) {
    if (numaNode !== null) devices.set(numaNode, (devices.get(numaNode) ?? 0) + count);
  }
  return devices;
}

/** Largest key first; equals keep their order. */
function descending(cells: readonly HostNumaCell[], keyOf: (cell: HostNumaCell) => number): readonly HostNumaCell[] {
  return cells
    .map((cell) => ({ cell, key: keyOf(cell) }))
    .sort((one, other) => other.key - one.key)
    .map(({ cell }) => cell);
}
