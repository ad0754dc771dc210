// Selects the host CPUs for dedicated vCPUs. The thread policy decides which threads of a core can be used together;
// cores are visited in the order of the host's report.

import type { CpuThreadPolicy, HostNumaCell } from '../request-spec/numa-topology';
import type { NumaFailure } from './fitted-topology';

interface PinningAsked {
  readonly instanceCell: number;
  /** Number of dedicated vCPUs. */
  readonly vcpus: number;
  /** One more CPU for the emulator's threads. */
  readonly emulatorCpu: boolean;
  readonly threadPolicy: CpuThreadPolicy | null;
}

export interface Pinning {
  /** One for each vCPU. */
  readonly pinned: readonly number[];
  /** Pinned CPUs, the emulator's CPU, and with `isolate` the idle threads of their cores. */
  readonly heldCpus: readonly number[];
}

const NOTHING: Pinning = { pinned: [], heldCpus: [] };

/** A core with its free threads. */
interface Core {
  readonly free: readonly number[];
}

/** The pinning, or the failure. Free CPUs are dedicated CPUs that are not pinned. */
export function pinCpus(cell: HostNumaCell, pinningRequest: PinningAsked): Pinning | NumaFailure {
  const requiredCpus = pinningRequest.vcpus + (pinningRequest.emulatorCpu ? 1 : 0);
  if (requiredCpus === 0) return NOTHING;
  const free = freeCpus(cell);
  if (free.length < requiredCpus) {
    const params = {
      cell: cell.id,
      instance_cell: pinningRequest.instanceCell,
      asked: requiredCpus,
      free: free.length,
    };
    return { code: 'dedicated_free', params };
  }
  switch (pinningRequest.threadPolicy) {
    case 'require':
      return pinSiblings(cell, pinningRequest, coresOf(cell, free));
    case 'isolate':
      return pinWholeCores(cell, pinningRequest, coresOf(cell, free));
    case 'prefer':
    case null:
      return pinAnywhere(pinningRequest, coresOf(cell, free));
  }
}

/** Dedicated CPUs that are not pinned. */
export function freeCpus({ pcpuset, pinnedCpus }: HostNumaCell): readonly number[] {
  if (pinnedCpus.length === 0) return pcpuset;
  const pinned = new Set(pinnedCpus);
  return pcpuset.filter((cpu) => !pinned.has(cpu));
}

/** True if some core of the cell has more than one thread. */
export const hasThreads = ({ siblings }: Pick<HostNumaCell, 'siblings'>): boolean =>
  siblings.some((threads) => threads.length > 1);

/** The cores with a free thread; a CPU outside all sibling sets is a core by itself. */
function coresOf({ siblings }: HostNumaCell, free: readonly number[]): readonly Core[] {
  const cores: Core[] = [];
  const left = new Set(free);
  for (const threads of siblings) {
    const idle = threads.filter((cpu) => left.delete(cpu));
    if (idle.length > 0) cores.push({ free: idle });
  }
  for (const cpu of left) cores.push({ free: [cpu] });
  return cores;
}

/** `require`: every vCPU on a core with at least two free threads, using as many threads per core as possible. */
function pinSiblings(cell: HostNumaCell, pinningRequest: PinningAsked, cores: readonly Core[]): Pinning | NumaFailure {
  const siblings = packOnCores(cores, pinningRequest.vcpus, 2);
  if (siblings !== null) return withEmulator(pinningRequest, siblings, cores);
  return packingFailure(cell, pinningRequest, mostOnSiblings(cores));
}

/** `prefer` or unset: siblings if they suffice, otherwise one thread per core, otherwise any free CPUs. */
function pinAnywhere(pinningRequest: PinningAsked, cores: readonly Core[]): Pinning {
  const pinned =
    packOnCores(cores, pinningRequest.vcpus, 1) ?? cores.flatMap(({ free }) => free).slice(0, pinningRequest.vcpus);
  return withEmulator(pinningRequest, pinned, cores);
}

/**
 * `isolate`: every vCPU on a core with as many free threads as the largest core of the cell has; the emulator on any
 * other core with a free thread. No other instance can use the remaining threads of these cores. Refused on cells whose
 * shared CPUs could be such threads.
 */
function pinWholeCores(
  cell: HostNumaCell,
  pinningRequest: PinningAsked,
  cores: readonly Core[],
): Pinning | NumaFailure {
  if (hasThreads(cell) && !isSameSet(cell.cpuset, cell.pcpuset)) {
    const common = cell.cpuset.filter((cpu) => cell.pcpuset.includes(cpu)).length;
    const sets = { shared: cell.cpuset.length, dedicated: cell.pcpuset.length, common };
    return { code: 'isolate_two_sets', params: { cell: cell.id, instance_cell: pinningRequest.instanceCell, ...sets } };
  }
  const threads = cell.siblings.reduce((most, core) => Math.max(most, core.length), 1);
  const whole = cores.filter(({ free }) => free.length === threads);
  if (whole.length < pinningRequest.vcpus) return packingFailure(cell, pinningRequest, whole.length);
  const taken = whole.slice(0, pinningRequest.vcpus);
  const pinned = taken.flatMap(({ free }) => free.slice(0, 1));
  if (!pinningRequest.emulatorCpu) return { pinned, heldCpus: taken.flatMap(({ free }) => free) };
  const emulatorCore = cores.find((core) => !taken.includes(core));
  if (emulatorCore === undefined) {
    const params = {
      cell: cell.id,
      instance_cell: pinningRequest.instanceCell,
      asked: pinningRequest.vcpus + 1,
      cores: cores.length,
    };
    return { code: 'emulator_core', params };
  }
  return { pinned, heldCpus: [...taken, emulatorCore].flatMap(({ free }) => free) };
}

/** The CPUs with as many threads per core as possible, but at least `least`; null if they do not suffice. */
function packOnCores(cores: readonly Core[], vcpus: number, least: 1 | 2): readonly number[] | null {
  for (let threads = mostThreads(cores); threads >= least; threads -= 1) {
    const packed = packThreads(cores, threads, vcpus);
    if (packed.length === vcpus) return packed;
  }
  return null;
}

/** Up to `vcpus` CPUs: `threads` of each core with that many free threads. */
function packThreads(cores: readonly Core[], threads: number, vcpus: number): readonly number[] {
  const cpus: number[] = [];
  for (const { free } of cores) {
    if (free.length < threads) continue;
    for (let thread = 0; thread < threads && cpus.length < vcpus; thread += 1) cpus.push(free[thread] as number);
    if (cpus.length === vcpus) break;
  }
  return cpus;
}

function mostOnSiblings(cores: readonly Core[]): number {
  let most = 0;
  for (let threads = mostThreads(cores); threads >= 2; threads -= 1) {
    most = Math.max(most, threads * cores.filter(({ free }) => free.length >= threads).length);
  }
  return most;
}

const mostThreads = (cores: readonly Core[]): number =>
  cores.reduce((most, { free }) => Math.max(most, free.length), 0);

/** The emulator takes any remaining CPU; the number of free CPUs was checked before. */
function withEmulator(pinningRequest: PinningAsked, pinned: readonly number[], cores: readonly Core[]): Pinning {
  if (!pinningRequest.emulatorCpu) return { pinned, heldCpus: pinned };
  const left = cores.flatMap(({ free }) => free).filter((cpu) => !pinned.includes(cpu));
  return { pinned, heldCpus: [...pinned, ...left.slice(0, 1)] };
}

function packingFailure(cell: HostNumaCell, pinningRequest: PinningAsked, packable: number): NumaFailure {
  const { instanceCell, threadPolicy: policy, vcpus } = pinningRequest;
  return {
    code: 'thread_policy',
    params: { cell: cell.id, instance_cell: instanceCell, policy, asked: vcpus, packable },
  };
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  const set = new Set(one);
  return set.size === new Set(other).size && other.every((cpu) => set.has(cpu));
}
