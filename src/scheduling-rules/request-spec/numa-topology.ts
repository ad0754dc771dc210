// NUMA data: the reported cells of a host, and the requested cells of an instance. Memory is in MiB, pages in KiB.

/** NUMA cells of one host or instance; the largest machines report about thirty. */
export const NUMA_CELLS_MAX = 48;

export interface MemoryPages {
  readonly sizeKb: number;
  readonly total: number;
  readonly used: number;
  readonly reserved: number;
}

export interface HostNumaCell {
  readonly id: number;
  readonly socket: number | null;
  /** CPUs for shared use. */
  readonly cpuset: readonly number[];
  /** CPUs for dedicated use. */
  readonly pcpuset: readonly number[];
  readonly pinnedCpus: readonly number[];
  /** Sets of hardware threads, one per core. */
  readonly siblings: readonly (readonly number[])[];
  readonly memoryMb: number;
  readonly cpuUsage: number;
  readonly memoryUsageMb: number;
  readonly mempages: readonly MemoryPages[];
  readonly physnets: readonly string[];
  readonly tunneled: boolean;
}

export interface HostNumaTopology {
  readonly cells: readonly HostNumaCell[];
}

export type CpuPolicy = 'shared' | 'dedicated' | 'mixed';
export type CpuThreadPolicy = 'prefer' | 'isolate' | 'require';

/** `small`: the smallest; `large`: any but the smallest; `any`: all, largest first; a number: exactly that, in KiB. */
export type PageSize = 'small' | 'large' | 'any' | number;

export interface InstanceNumaCell {
  readonly id: number;
  /** Shared CPUs of the instance in this cell. */
  readonly cpus: readonly number[];
  /** Dedicated CPUs of the instance in this cell. */
  readonly pcpus: readonly number[];
  readonly memoryMb: number;
  /** Null: not requested. */
  readonly pageSize: PageSize | null;
  readonly cpuPolicy: CpuPolicy | null;
  readonly cpuThreadPolicy: CpuThreadPolicy | null;
}

export interface InstanceNumaTopology {
  readonly cells: readonly InstanceNumaCell[];
  readonly emulatorThreadsIsolated: boolean;
}

/** Limits from the NUMA filter, which the compute host checks again. */
export interface NumaLimits {
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  /** Networks that the instance's cells must reach; absent without networks. */
  readonly network?: NumaNetwork;
}

/** The requirements of an instance's networks on its cells. */
export interface NumaNetwork {
  readonly physnets: readonly string[];
  readonly tunneled: boolean;
}
