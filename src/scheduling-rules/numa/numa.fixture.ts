// NUMA cells for specs, with default values. Not part of the product.

import type {
  HostNumaCell,
  HostNumaTopology,
  InstanceNumaCell,
  InstanceNumaTopology,
} from '../request-spec/numa-topology';

/** Four shared CPUs, four dedicated ones on two cores of two threads, 4096 MiB, no page data. */
export function hostCell(given: Partial<HostNumaCell> = {}): HostNumaCell {
  const base = (given.id ?? 0) * 100;
  const cpus = (...numbers: readonly number[]): readonly number[] => numbers.map((number) => base + number);
  return {
    id: 0,
    socket: null,
    cpuset: cpus(0, 1, 2, 3),
    pcpuset: cpus(4, 5, 6, 7),
    pinnedCpus: [],
    siblings: [cpus(4, 5), cpus(6, 7)],
    memoryMb: 4096,
    cpuUsage: 0,
    memoryUsageMb: 0,
    mempages: [],
    physnets: [],
    tunneled: false,
    ...given,
  };
}

export const hostTopology = (...cells: readonly Partial<HostNumaCell>[]): HostNumaTopology => ({
  cells: cells.map((cell, id) => hostCell({ id, ...cell })),
});

/** One shared CPU and 1024 MiB. */
export function instanceCell(given: Partial<InstanceNumaCell> = {}): InstanceNumaCell {
  return {
    id: 0,
    cpus: [0],
    pcpus: [],
    memoryMb: 1024,
    pageSize: null,
    cpuPolicy: null,
    cpuThreadPolicy: null,
    ...given,
  };
}

/** Dedicated CPUs only. */
export const pinnedCell = (count: number, given: Partial<InstanceNumaCell> = {}): InstanceNumaCell =>
  instanceCell({ cpus: [], pcpus: numbers(count), cpuPolicy: 'dedicated', ...given });

export const instanceTopology = (...cells: readonly Partial<InstanceNumaCell>[]): InstanceNumaTopology => ({
  cells: cells.map((cell, id) => instanceCell({ id, ...cell })),
  emulatorThreadsIsolated: false,
});

export const numbers = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, at) => from + at);
