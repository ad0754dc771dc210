// The NUMA cells of an instance where a request gives them itself instead of `auto`, and how they are shown.

import { NUMA_CELLS_MAX } from '../pipeline/limits';
import { invalid } from '../request/request-refusal';
import { cpusOf, fieldsOf, integerOf, integerOr, itemsOf, oneOf } from './document-fields';
import type { Fields } from './document-fields';
import type { CpuPolicy, CpuThreadPolicy, InstanceNumaCell, InstanceNumaTopology, PageSize } from './numa-topology';
import { PAGE_SIZE_RULE, parsePageSize } from './page-size';

const CELL_FIELDS = ['id', 'cpuset', 'pcpuset', 'memory', 'pagesize', 'cpu_policy', 'cpu_thread_policy'] as const;
const CPU_POLICIES: readonly CpuPolicy[] = ['shared', 'dedicated', 'mixed'];
const THREAD_POLICIES: readonly CpuThreadPolicy[] = ['prefer', 'isolate', 'require'];
const EMULATOR_POLICIES = ['share', 'isolate'] as const;

/**
 * A topology from its document: cells of `cpuset` (shared vCPUs), `pcpuset` (dedicated ones), `memory` (MiB), and
 * optionally `pagesize`, `cpu_policy` and `cpu_thread_policy`. Without a policy the kinds of vCPUs tell it.
 */
export function readInstanceTopology(value: unknown, path = 'numa_topology'): InstanceNumaTopology | null {
  if (value === undefined || value === null) return null;
  const document = fieldsOf(value, path, ['cells', 'emulator_threads_policy']);
  const items = itemsOf(document['cells'], `${path}.cells`, NUMA_CELLS_MAX);
  if (items.length === 0) throw invalid(`${path}.cells`, 'names no cell; null asks for none');
  const read = items.map(([cell, at], position) => readCell(cell, at, position));
  const told = policyToldBy(read);
  const cells = read.map((cell) => ({ ...cell, cpuPolicy: cell.cpuPolicy ?? told }));
  for (const [at, cell] of cells.entries()) refuseForeignCpus(cell, `${path}.cells[${at}]`);
  refuseRepeatedCpus(cells, path);
  const emulator = document['emulator_threads_policy'] ?? 'share';
  const emulatorPath = `${path}.emulator_threads_policy`;
  const emulatorThreadsIsolated = oneOf(emulator, emulatorPath, EMULATOR_POLICIES) === 'isolate';
  if (emulatorThreadsIsolated && !cells.some(isPinned)) {
    throw invalid(emulatorPath, "'isolate' needs the CPU policy dedicated or mixed");
  }
  return { cells, emulatorThreadsIsolated };
}

function readCell(value: unknown, path: string, position: number): InstanceNumaCell {
  const cell = fieldsOf(value, path, CELL_FIELDS);
  return {
    id: integerOr(cell['id'], `${path}.id`, position),
    cpus: cpusOf(cell['cpuset'], `${path}.cpuset`),
    pcpus: cpusOf(cell['pcpuset'], `${path}.pcpuset`),
    memoryMb: integerOf(cell['memory'], `${path}.memory`, { min: 1 }),
    pageSize: readPageSize(cell, `${path}.pagesize`),
    cpuPolicy: optional(cell['cpu_policy'], `${path}.cpu_policy`, CPU_POLICIES),
    cpuThreadPolicy: optional(cell['cpu_thread_policy'], `${path}.cpu_thread_policy`, THREAD_POLICIES),
  };
}

function optional<Value extends string>(value: unknown, path: string, values: readonly Value[]): Value | null {
  return value === undefined || value === null ? null : oneOf(value, path, values);
}

function readPageSize(cell: Fields, path: string): PageSize | null {
  const value = cell['pagesize'];
  if (value === undefined || value === null) return null;
  const size = typeof value === 'number' || typeof value === 'string' ? parsePageSize(String(value)) : null;
  if (size === null) throw invalid(path, PAGE_SIZE_RULE);
  return size;
}

/** The policy that the kinds of vCPUs amount to; null, which is shared, where none is dedicated. */
function policyToldBy(cells: readonly InstanceNumaCell[]): CpuPolicy | null {
  if (!cells.some(({ pcpus }) => pcpus.length > 0)) return null;
  return cells.some(({ cpus }) => cpus.length > 0) ? 'mixed' : 'dedicated';
}

const isPinned = ({ cpuPolicy }: InstanceNumaCell): boolean => cpuPolicy === 'dedicated' || cpuPolicy === 'mixed';

function refuseForeignCpus({ cpus, pcpus, cpuPolicy }: InstanceNumaCell, path: string): void {
  if (cpus.length + pcpus.length === 0) throw invalid(`${path}.cpuset`, 'a cell needs at least one CPU');
  if (cpuPolicy === 'dedicated' && cpus.length > 0) {
    throw invalid(`${path}.cpuset`, "holds shared CPUs, which the CPU policy 'dedicated' has none of; use pcpuset");
  }
  if ((cpuPolicy ?? 'shared') === 'shared' && pcpus.length > 0) {
    throw invalid(`${path}.pcpuset`, "holds dedicated CPUs, which the CPU policy 'shared' has none of; use cpuset");
  }
}

function refuseRepeatedCpus(cells: readonly InstanceNumaCell[], path: string): void {
  const seen = new Set<number>();
  const ids = new Set<number>();
  for (const [at, { id, cpus, pcpus }] of cells.entries()) {
    if (ids.has(id)) throw invalid(`${path}.cells[${at}].id`, `there is a cell ${id} already`);
    ids.add(id);
    for (const cpu of [...cpus, ...pcpus]) {
      if (seen.has(cpu)) throw invalid(`${path}.cells[${at}]`, `names CPU ${cpu} twice`);
      seen.add(cpu);
    }
  }
}

/** Reading what this shows gives the same topology. */
export function instanceTopologyDocument({ cells, emulatorThreadsIsolated }: InstanceNumaTopology): {
  readonly cells: readonly Fields[];
  readonly emulator_threads_policy: 'share' | 'isolate';
} {
  return {
    cells: cells.map((cell) => ({
      id: cell.id,
      cpuset: cell.cpus,
      pcpuset: cell.pcpus,
      memory: cell.memoryMb,
      pagesize: cell.pageSize,
      cpu_policy: cell.cpuPolicy,
      cpu_thread_policy: cell.cpuThreadPolicy,
    })),
    emulator_threads_policy: emulatorThreadsIsolated ? 'isolate' : 'share',
  };
}
