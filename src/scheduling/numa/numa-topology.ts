// NUMA as data: the cells of a host as it reported them, and the cells an instance asks for. Memory is MiB, pages KiB.

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
  /** Hardware threads of one core stand together. */
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
  /** Dedicated ones. */
  readonly pcpus: readonly number[];
  readonly memoryMb: number;
  /** Null: not asked. */
  readonly pageSize: PageSize | null;
  readonly cpuPolicy: CpuPolicy | null;
  readonly cpuThreadPolicy: CpuThreadPolicy | null;
}

export interface InstanceNumaTopology {
  readonly cells: readonly InstanceNumaCell[];
  readonly emulatorThreadsIsolated: boolean;
}

/** What the NUMA filter leaves for the compute host to check again. */
export interface NumaLimits {
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  /** Networks the instance must reach from its cells; absent when it named none. */
  readonly network?: NumaNetwork;
}

/** What the networks of an instance need of the cells it is on. */
export interface NumaNetwork {
  readonly physnets: readonly string[];
  readonly tunneled: boolean;
}
