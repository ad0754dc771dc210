// Checks whether one instance cell fits on one host cell: pages, CPUs and memory, in that order. The first violated
// rule is the failure.

import type { HostNumaCell, InstanceNumaCell } from '../request-spec/numa-topology';
import { fitPages } from './fit-pages';
import type { FittedNumaCell, NumaFailure } from './fitted-topology';
import { isFailure } from './fitted-topology';
import { pinCpus } from './pin-cpus';

/** Further inputs for a pair of cells. */
export interface CellTerms {
  /** Position of the instance's cell. */
  readonly at: number;
  /** The emulator's threads get a separate CPU, on the first cell. */
  readonly emulatorCpu: boolean;
  /** Infinity: shared CPUs have no limit. */
  readonly cpuAllocationRatio: number;
  /** Infinity: memory of instances with shared CPUs has no limit. */
  readonly ramAllocationRatio: number;
}

/** Law: the same cells and terms give the same result, wherever the instance's other cells are placed. */
export function fitCell(
  cell: HostNumaCell,
  instanceCell: InstanceNumaCell,
  terms: CellTerms,
): FittedNumaCell | NumaFailure {
  const isPinned = instanceCell.cpuPolicy === 'dedicated' || instanceCell.cpuPolicy === 'mixed';
  const pageSizeKb = fitPages(cell, instanceCell, isPinned);
  if (pageSizeKb !== null && typeof pageSizeKb === 'object') return pageSizeKb;
  const emulatorCpu = terms.emulatorCpu && isPinned;
  const dedicated = { asked: instanceCell.pcpus.length + (emulatorCpu ? 1 : 0), total: cell.pcpuset.length };
  const selfOvercommit = overcommitsItself(cell, instanceCell, dedicated);
  if (selfOvercommit !== null) return selfOvercommit;
  if (isPinned && instanceCell.pcpus.length === 0) {
    const wish = wishForDedicatedCpus(instanceCell, emulatorCpu);
    if (wish !== null)
      return { code: 'no_dedicated_cpus', params: { instance_cell: instanceCell.id, dedicated: 0, wish } };
  }
  const pinning = pinCpus(cell, {
    instanceCell: instanceCell.id,
    vcpus: instanceCell.pcpus.length,
    emulatorCpu,
    threadPolicy: instanceCell.cpuThreadPolicy,
  });
  if (isFailure(pinning)) return pinning;
  const beyond = beyondRatios(cell, instanceCell, terms) ?? (isPinned ? beyondFreeMemory(cell, instanceCell) : null);
  if (beyond !== null) return beyond;
  return {
    instanceCell: terms.at,
    hostCell: cell.id,
    sharedCpus: instanceCell.cpus.length,
    pinnedCpus: pinning.pinned,
    heldCpus: pinning.heldCpus,
    memoryMb: instanceCell.memoryMb,
    pageSizeKb,
  };
}

/** The setting of a cell that requires dedicated CPUs, or null. */
function wishForDedicatedCpus({ cpuThreadPolicy }: InstanceNumaCell, emulatorCpu: boolean): string | null {
  if (emulatorCpu) return "'hw:emulator_threads_policy=isolate'";
  const needsThreads = cpuThreadPolicy === 'isolate' || cpuThreadPolicy === 'require';
  return needsThreads ? `the thread policy '${cpuThreadPolicy}'` : null;
}

/** An instance never overcommits against itself, at any ratio. */
function overcommitsItself(
  cell: HostNumaCell,
  instanceCell: InstanceNumaCell,
  dedicated: { readonly asked: number; readonly total: number },
): NumaFailure | null {
  const ids = { cell: cell.id, instance_cell: instanceCell.id };
  if (dedicated.asked > dedicated.total) return { code: 'dedicated_total', params: { ...ids, ...dedicated } };
  const shared = { asked: instanceCell.cpus.length, total: cell.cpuset.length };
  if (shared.asked > shared.total) return { code: 'shared_total', params: { ...ids, ...shared } };
  return null;
}

/**
 * The ratios limit shared CPUs and their memory. The dedicated policy is exempt; a cell with the mixed policy is not,
 * even if all its CPUs are dedicated.
 */
function beyondRatios(cell: HostNumaCell, instanceCell: InstanceNumaCell, terms: CellTerms): NumaFailure | null {
  if (instanceCell.cpuPolicy === 'dedicated') return null;
  const ids = { cell: cell.id, instance_cell: instanceCell.id };
  const vcpus = {
    asked: instanceCell.cpus.length,
    used: cell.cpuUsage,
    limit: limitOf(cell.cpuset.length, terms.cpuAllocationRatio),
  };
  if (vcpus.used + vcpus.asked > vcpus.limit) {
    return { code: 'cpu_limit', params: { ...ids, ...vcpus } };
  }
  const memory = {
    asked: instanceCell.memoryMb,
    used: cell.memoryUsageMb,
    limit: limitOf(cell.memoryMb, terms.ramAllocationRatio),
  };
  if (memory.used + memory.asked > memory.limit) return { code: 'memory_limit', params: { ...ids, ...memory } };
  return null;
}

/** With an infinite ratio there is no limit, even for the amount 0. */
const limitOf = (amount: number, ratio: number): number => (ratio === Infinity ? Infinity : amount * ratio);

/** Memory of pinned instances is never overcommitted. With page data, the check of free pages replaces this one. */
function beyondFreeMemory(cell: HostNumaCell, instanceCell: InstanceNumaCell): NumaFailure | null {
  if (cell.mempages.length > 0) return null;
  const available = cell.memoryMb - cell.memoryUsageMb;
  if (instanceCell.memoryMb <= available) return null;
  const params = { cell: cell.id, instance_cell: instanceCell.id, asked: instanceCell.memoryMb, available };
  return { code: 'pinned_memory', params };
}
