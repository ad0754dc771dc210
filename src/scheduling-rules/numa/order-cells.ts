// The order in which host cells are tried, if the host has more than the instance needs. Nova sorts by free memory,
// then by CPUs, then by PCI devices, each stable, so the last one is the primary key.

import type { HostNumaCell, InstanceNumaTopology } from '../request-spec/numa-topology';
import type { PciPool } from '../request-spec/pci-pool';
import { freeCpus } from './pin-cpus';

interface OrderTerms {
  /** Fullest cells first instead of emptiest. */
  readonly packing: boolean;
  /** Null: the host reports no PCI data, and only memory and CPUs determine the order. */
  readonly pciPools: readonly PciPool[] | null;
  readonly asksPci: boolean;
}

/** One sort by the keys from last to first, then by position: equal to the stable sorts one after the other. */
export function orderCells(
  cells: readonly HostNumaCell[],
  requestedTopology: InstanceNumaTopology,
  { packing, pciPools, asksPci }: OrderTerms,
): readonly HostNumaCell[] {
  const emptiestFirst = packing ? -1 : 1;
  const isPinned = requestedTopology.cells.some(({ cpuPolicy }) => cpuPolicy === 'dedicated' || cpuPolicy === 'mixed');
  const keyed = cells.map((cell, position) => ({
    cell,
    position,
    pci: (asksPci ? 1 : -1) * devicesOn(cell, pciPools ?? []),
    cpu: emptiestFirst * (isPinned ? freeCpus(cell).length : -cell.cpuUsage),
    memory: emptiestFirst * (cell.memoryMb - cell.memoryUsageMb),
  }));
  keyed.sort(
    (one, other) =>
      other.pci - one.pci || other.cpu - one.cpu || other.memory - one.memory || one.position - other.position,
  );
  return keyed.map(({ cell }) => cell);
}

function devicesOn({ id }: HostNumaCell, pools: readonly PciPool[]): number {
  let devices = 0;
  for (const { numaNode, count } of pools) if (numaNode === id) devices += count;
  return devices;
}
