// Derives an instance's NUMA cells from its flavor and image. Cells exist if NUMA nodes, a page size, persistent memory
// or dedicated CPUs are requested; otherwise the result is null. The cells share all vCPUs and memory of the flavor.

import { CPU_NUMBER_MAX } from '../numa/cpu-list';
import { extraSpec, extraSpecField, imageProperty, imagePropertyField } from '../numa/cpu-policy';
import { PAGE_SIZE_RULE, parsePageSize } from '../numa/page-size';
import type { InstanceNumaCell, InstanceNumaTopology, PageSize } from '../request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../request-spec/numa-topology';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';
import { cpuSettings } from './cpu-settings';
import type { CellShare } from './derive-cells';
import { cellsByHand } from './derive-cells';
import type { FlavorAndImage } from './flavor-image';
import { agreedBoolean, fieldsOf } from './flavor-image';
import { persistentMemoryLabels } from './translations';

/**
 * Law: the cells contain every vCPU of the flavor once and all of its memory. Contradictions are refused with their
 * field.
 */
export function deriveNumaTopology(flavor: Flavor, image: Image | null): InstanceNumaTopology | null {
  const { policy, threadPolicy, emulatorThreadsIsolated, ...settings } = cpuSettings(flavor, image);
  const pageSize = derivePageSize(flavor, image);
  refuseLockedMemory({ flavor, image }, pageSize);
  const nodes = deriveNodeCount(flavor, image);
  const isPinned = policy === 'dedicated' || policy === 'mixed';
  const hasPersistentMemory = persistentMemoryLabels(flavor).length > 0;
  if (nodes === null && pageSize === null && !isPinned && !hasPersistentMemory) return null;
  const shares = cellsByHand(flavor, image, nodes ?? 1) ?? evenShares(flavor, nodes ?? 1);
  if (flavor.vcpus > CPU_NUMBER_MAX) {
    throw invalid('flavor.vcpus', `must be <= ${CPU_NUMBER_MAX} where NUMA cells are laid out, not ${flavor.vcpus}`);
  }
  const dedicated = new Set(settings.dedicatedCpus);
  const cells = shares.map(({ cpus, memoryMb }, id): InstanceNumaCell => ({
    id,
    cpus: cpus.filter((cpu) => !dedicated.has(cpu)),
    pcpus: cpus.filter((cpu) => dedicated.has(cpu)),
    memoryMb,
    pageSize,
    cpuPolicy: policy,
    cpuThreadPolicy: threadPolicy,
  }));
  return { cells, emulatorThreadsIsolated };
}

/** Locked memory needs a page size. Flavor and image must agree; text that is not a boolean counts as false. */
function refuseLockedMemory(source: FlavorAndImage, pageSize: PageSize | null): void {
  const key = 'hw:locked_memory';
  if (!agreedBoolean(source, key, true) || pageSize !== null) return;
  const [field = extraSpecField(key)] = fieldsOf(source, key);
  throw invalid(field, 'needs hw:mem_page_size');
}

/** The number of NUMA nodes from flavor or image; null if neither sets it. Only one of them can set it. */
function deriveNodeCount(flavor: Flavor, image: Image | null): number | null {
  const fromFlavor = nodeCount(extraSpec(flavor, 'hw:numa_nodes'), extraSpecField('hw:numa_nodes'));
  const fromImage = nodeCount(imageProperty(image, 'hw_numa_nodes'), imagePropertyField('hw_numa_nodes'));
  if (fromFlavor !== null && fromImage !== null) {
    throw invalid(imagePropertyField('hw_numa_nodes'), "cannot be given together with the flavor's hw:numa_nodes");
  }
  return fromFlavor ?? fromImage;
}

function nodeCount(text: string | null, field: string): number | null {
  if (text === null) return null;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= NUMA_CELLS_MAX) return count;
  throw invalid(field, `must be an integer from 1 to ${NUMA_CELLS_MAX}, not '${text}'`);
}

/** The image can set a page size only if the flavor's is `large` or `any`. */
function derivePageSize(flavor: Flavor, image: Image | null): PageSize | null {
  const fromFlavor = pageSizeOf(extraSpec(flavor, 'hw:mem_page_size'), extraSpecField('hw:mem_page_size'));
  const fromImage = pageSizeOf(imageProperty(image, 'hw_mem_page_size'), imagePropertyField('hw_mem_page_size'));
  if (fromImage === null) return fromFlavor;
  if (fromFlavor === 'large' || fromFlavor === 'any') return fromImage;
  const given = fromFlavor === null ? 'does not set one' : `says '${fromFlavor}'`;
  const why = `may be set where the flavor's hw:mem_page_size is large or any; this one ${given}`;
  throw invalid(imagePropertyField('hw_mem_page_size'), why);
}

function pageSizeOf(text: string | null, field: string): PageSize | null {
  if (text === null) return null;
  const size = parsePageSize(text);
  if (size === null) throw invalid(field, `${PAGE_SIZE_RULE}, not '${text}'`);
  return size;
}

function evenShares({ vcpus, memoryMb }: Flavor, nodes: number): readonly CellShare[] {
  if (vcpus % nodes !== 0 || memoryMb % nodes !== 0) {
    const why = `does not divide ${vcpus} vCPUs and ${memoryMb} MiB evenly by ${nodes} NUMA nodes; set hw:numa_cpus.N and hw:numa_mem.N`;
    throw invalid(extraSpecField('hw:numa_nodes'), why);
  }
  const share = vcpus / nodes;
  return Array.from({ length: nodes }, (_, node) => ({
    cpus: Array.from({ length: share }, (_cpu, at) => node * share + at),
    memoryMb: memoryMb / nodes,
  }));
}
