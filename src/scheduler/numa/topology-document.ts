// The NUMA cells of a host as they travel, and back. Reading refuses by path; what is absent is empty or 0.

import { NUMA_CELLS_MAX } from '../pipeline/limits';
import { invalid } from '../request/request-refusal';
import {
  PAGES_MAX,
  booleanOr,
  cpusOf,
  fieldsOf,
  integerOf,
  integerOr,
  integerOrNull,
  itemsOf,
  textOf,
} from './document-fields';
import type { HostNumaCell, HostNumaTopology, MemoryPages } from './numa-topology';
import { PAGE_SIZE_KIB_MAX } from './page-size';

const CELL_FIELDS = [
  'id',
  'socket',
  'cpuset',
  'pcpuset',
  'pinned_cpus',
  'siblings',
  'memory',
  'cpu_usage',
  'memory_usage',
  'mempages',
  'physnets',
  'tunneled',
] as const;
const PAGES_FIELDS = ['size_kb', 'total', 'used', 'reserved'] as const;
const LIST_MAX = 4_096;

/** A host's cells as they travel: MiB, and pages by their size in KiB. */
export interface HostTopologyDocument {
  readonly cells: readonly {
    readonly id: number;
    readonly socket: number | null;
    readonly cpuset: readonly number[];
    readonly pcpuset: readonly number[];
    readonly pinned_cpus: readonly number[];
    readonly siblings: readonly (readonly number[])[];
    readonly memory: number;
    readonly cpu_usage: number;
    readonly memory_usage: number;
    readonly mempages: readonly {
      readonly size_kb: number;
      readonly total: number;
      readonly used: number;
      readonly reserved: number;
    }[];
    readonly physnets: readonly string[];
    readonly tunneled: boolean;
  }[];
}

/** A topology from its document; null: the host has none to tell of. */
export function readHostTopology(value: unknown, path = 'numa_topology'): HostNumaTopology | null {
  if (value === undefined || value === null) return null;
  const { cells } = fieldsOf(value, path, ['cells']);
  const read = itemsOf(cells, `${path}.cells`, NUMA_CELLS_MAX).map(([cell, at]) => readCell(cell, at));
  refuseSharedCpus(read, path);
  return read.length === 0 ? null : { cells: read };
}

function readCell(value: unknown, path: string): HostNumaCell {
  const cell = fieldsOf(value, path, CELL_FIELDS);
  return {
    id: integerOf(cell['id'], `${path}.id`),
    socket: integerOrNull(cell['socket'], `${path}.socket`),
    cpuset: cpusOf(cell['cpuset'], `${path}.cpuset`),
    pcpuset: cpusOf(cell['pcpuset'], `${path}.pcpuset`),
    pinnedCpus: cpusOf(cell['pinned_cpus'], `${path}.pinned_cpus`),
    siblings: readSiblings(cell['siblings'], `${path}.siblings`),
    memoryMb: integerOf(cell['memory'], `${path}.memory`),
    cpuUsage: integerOr(cell['cpu_usage'], `${path}.cpu_usage`, 0),
    memoryUsageMb: integerOr(cell['memory_usage'], `${path}.memory_usage`, 0),
    mempages: readPages(cell['mempages'], `${path}.mempages`),
    physnets: itemsOf(cell['physnets'], `${path}.physnets`, LIST_MAX).map(([name, at]) => textOf(name, at)),
    tunneled: booleanOr(cell['tunneled'], `${path}.tunneled`, false),
  };
}

function readSiblings(value: unknown, path: string): readonly (readonly number[])[] {
  const sets = itemsOf(value, path, LIST_MAX).map(([set, at]) => cpusOf(set, at));
  const seen = new Set<number>();
  for (const [at, set] of sets.entries()) {
    for (const cpu of set) {
      if (seen.has(cpu)) throw invalid(`${path}[${at}]`, `names CPU ${cpu}, which is a thread of another core`);
      seen.add(cpu);
    }
  }
  return sets;
}

function readPages(value: unknown, path: string): readonly MemoryPages[] {
  const sizes = new Set<number>();
  return itemsOf(value, path, LIST_MAX).map(([item, at]) => {
    const pages = fieldsOf(item, at, PAGES_FIELDS);
    const sizeKb = integerOf(pages['size_kb'], `${at}.size_kb`, { min: 1, max: PAGE_SIZE_KIB_MAX });
    if (sizes.has(sizeKb)) throw invalid(`${at}.size_kb`, `there are pages of ${sizeKb} KiB already`);
    sizes.add(sizeKb);
    return {
      sizeKb,
      total: integerOf(pages['total'], `${at}.total`, { max: PAGES_MAX }),
      used: integerOr(pages['used'], `${at}.used`, 0, PAGES_MAX),
      reserved: integerOr(pages['reserved'], `${at}.reserved`, 0, PAGES_MAX),
    };
  });
}

/** Cells have ids of their own, and a CPU belongs to one cell. Within a cell it may be both shared and dedicated. */
function refuseSharedCpus(cells: readonly HostNumaCell[], path: string): void {
  const ids = new Set<number>();
  const cellOf = new Map<number, number>();
  for (const [at, { id, cpuset, pcpuset }] of cells.entries()) {
    if (ids.has(id)) throw invalid(`${path}.cells[${at}].id`, `there is a cell ${id} already`);
    ids.add(id);
    for (const cpu of new Set([...cpuset, ...pcpuset])) {
      const other = cellOf.get(cpu);
      if (other !== undefined) throw invalid(`${path}.cells[${at}]`, `has CPU ${cpu}, as cell ${other} has`);
      cellOf.set(cpu, id);
    }
  }
}

export function hostTopologyDocument({ cells }: HostNumaTopology): HostTopologyDocument {
  return {
    cells: cells.map((cell) => ({
      id: cell.id,
      socket: cell.socket,
      cpuset: cell.cpuset,
      pcpuset: cell.pcpuset,
      pinned_cpus: cell.pinnedCpus,
      siblings: cell.siblings,
      memory: cell.memoryMb,
      cpu_usage: cell.cpuUsage,
      memory_usage: cell.memoryUsageMb,
      mempages: cell.mempages.map(({ sizeKb, total, used, reserved }) => ({ size_kb: sizeKb, total, used, reserved })),
      physnets: cell.physnets,
      tunneled: cell.tunneled,
    })),
  };
}
