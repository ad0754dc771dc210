// The affinity of PCI devices to an instance's NUMA cells. Under every policy, devices on the cells themselves are used
// if they suffice; the policy defines the alternatives.

import type { HostNumaTopology } from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';

interface Affinity {
  /** Ids of the instance's host cells. */
  readonly cells: readonly number[];
  readonly topology: HostNumaTopology | null;
}

interface Counted {
  readonly pool: PciPool;
  readonly free: number;
}

/**
 * `required`: the cells only. `socket`: cells of the same sockets; none on a host with a cell of unknown socket.
 * `legacy`, the default: also devices at an unknown location. `preferred`: all, those of `legacy` first.
 */
export function nearPools<Pool extends Counted>(
  pools: readonly Pool[],
  { numaPolicy, count }: PciRequest,
  { cells, topology }: Affinity,
): readonly Pool[] {
  const isOnCells = ({ pool }: Counted): boolean => pool.numaNode !== null && cells.includes(pool.numaNode);
  const policy = numaPolicy ?? 'legacy';
  const onCells = pools.filter(isOnCells);
  if (policy === 'required' || suffice(onCells, count)) return onCells;
  if (policy === 'socket') {
    const near = cellsOfSameSockets(cells, topology);
    return pools.filter(({ pool }) => pool.numaNode !== null && near.has(pool.numaNode));
  }
  const orUnknown = pools.filter((counted) => counted.pool.numaNode === null || isOnCells(counted));
  if (policy === 'legacy' || suffice(orUnknown, count)) return orUnknown;
  return [...orUnknown, ...pools.filter((counted) => !orUnknown.includes(counted))];
}

function cellsOfSameSockets(ids: readonly number[], topology: HostNumaTopology | null): ReadonlySet<number> {
  const cells = topology?.cells ?? [];
  if (cells.some(({ socket }) => socket === null)) return new Set();
  const sockets = new Set(cells.filter(({ id }) => ids.includes(id)).map(({ socket }) => socket));
  return new Set(cells.filter(({ socket }) => sockets.has(socket)).map(({ id }) => id));
}

const suffice = (pools: readonly Counted[], count: number): boolean =>
  pools.reduce((total, { free }) => total + free, 0) >= count;
