// The NUMA cells and PCI devices of an instance: derived from flavor and image, or given as a document; and their
// presentation. Law: reading the presented document gives the same request.
import type { MergeMap } from '../../compute/registry-schema';
import { parsePageSize } from '../../scheduling-rules/numa/page-size';
import type { PciAliases } from '../../scheduling-rules/pci/alias';
import type {
  CpuPolicy,
  InstanceNumaCell,
  InstanceNumaTopology,
} from '../../scheduling-rules/request-spec/numa-topology';
import type { PciRequest } from '../../scheduling-rules/request-spec/pci-pool';
import { invalid } from '../../scheduling-rules/request-spec/request-refusal';
import { deriveNumaTopology } from '../../scheduling-rules/request/derive-numa-topology';
import { derivePciRequests, pciNumaPolicy } from '../../scheduling-rules/request/derive-pci-requests';
import type { FlavorAndImage } from '../../scheduling-rules/request/flavor-image';
import type { InstanceCellDto, InstanceTopologyDto, PciRequestDto, SelectDestinationsDto } from './request.schema';

/** An absent document is derived; null asks for nothing. */
export function numaTopologyOf(
  { numa_topology: given = 'auto' }: SelectDestinationsDto,
  { flavor, image }: FlavorAndImage,
): InstanceNumaTopology | null {
  if (given === 'auto') return deriveNumaTopology(flavor, image);
  return given === null ? null : topologyOf(given);
}

function topologyOf({
  cells: documents,
  emulator_threads_policy: emulator,
}: InstanceTopologyDto): InstanceNumaTopology {
  const field = 'numa_topology.cells';
  if (documents.length === 0) throw invalid(field, 'names no cell; null asks for none');
  const derivedPolicy = policyOf(documents.map(cellOf));
  const cells = documents.map(cellOf).map((cell) => ({ ...cell, cpuPolicy: cell.cpuPolicy ?? derivedPolicy }));
  for (const [at, cell] of cells.entries()) refuseForeignCpus(cell, `${field}.${at}`);
  refuseRepeatedCpus(cells, field);
  const emulatorThreadsIsolated = emulator === 'isolate';
  if (emulatorThreadsIsolated && !cells.some(isPinned)) {
    throw invalid(
      'numa_topology.emulator_threads_policy',
      "is 'isolate', which needs the CPU policy dedicated or mixed",
    );
  }
  return { cells, emulatorThreadsIsolated };
}

const cellOf = (cell: InstanceCellDto, position: number): InstanceNumaCell => ({
  id: cell.id ?? position,
  cpus: cell.cpuset ?? [],
  pcpus: cell.pcpuset ?? [],
  memoryMb: cell.memory,
  pageSize: parsePageSize(String(cell.pagesize ?? '')),
  cpuPolicy: cell.cpu_policy ?? null,
  cpuThreadPolicy: cell.cpu_thread_policy ?? null,
});

/** The policy that the kinds of vCPUs amount to; null, which is shared, where none is dedicated. */
function policyOf(cells: readonly InstanceNumaCell[]): CpuPolicy | null {
  if (!cells.some(({ pcpus }) => pcpus.length > 0)) return null;
  return cells.some(({ cpus }) => cpus.length > 0) ? 'mixed' : 'dedicated';
}

const isPinned = ({ cpuPolicy }: InstanceNumaCell): boolean => cpuPolicy === 'dedicated' || cpuPolicy === 'mixed';

function refuseForeignCpus({ cpus, pcpus, cpuPolicy }: InstanceNumaCell, path: string): void {
  if (cpus.length + pcpus.length === 0) throw invalid(`${path}.cpuset`, 'must name a CPU, unless pcpuset does');
  if (cpuPolicy === 'dedicated' && cpus.length > 0) {
    throw invalid(`${path}.cpuset`, "holds shared CPUs, which the CPU policy 'dedicated' has none of; use pcpuset");
  }
  if ((cpuPolicy ?? 'shared') === 'shared' && pcpus.length > 0) {
    throw invalid(`${path}.pcpuset`, "holds dedicated CPUs, which the CPU policy 'shared' has none of; use cpuset");
  }
}

function refuseRepeatedCpus(cells: readonly InstanceNumaCell[], path: string): void {
  const cellIds = new Set<number>();
  const ids = new Set<number>();
  for (const [at, { id, cpus, pcpus }] of cells.entries()) {
    if (ids.has(id)) throw invalid(`${path}.${at}.id`, `is ${id}, which another cell has`);
    ids.add(id);
    for (const cpu of [...cpus, ...pcpus]) {
      if (cellIds.has(cpu)) throw invalid(`${path}.${at}`, `names CPU ${cpu} twice`);
      cellIds.add(cpu);
    }
  }
}

export const instanceTopologyDocument = ({
  cells,
  emulatorThreadsIsolated,
}: InstanceNumaTopology): InstanceTopologyDto => ({
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
});

export function pciRequestsOf(
  { pci_requests: given = 'auto' }: SelectDestinationsDto,
  { flavor, image }: FlavorAndImage,
  aliases: PciAliases,
): readonly PciRequest[] {
  if (given === 'auto') return derivePciRequests(flavor, image, aliases);
  return (given ?? []).map((request, at) => pciRequestOf(request, `pci_requests.${at}`, { flavor, image }, aliases));
}

function pciRequestOf(
  request: PciRequestDto,
  path: string,
  { flavor, image }: FlavorAndImage,
  aliases: PciAliases,
): PciRequest {
  const aliasName = request.alias_name ?? null;
  const alias = aliasName === null ? undefined : aliases.get(aliasName);
  const own = (request.spec ?? []).map(conditionsOf);
  const alternatives = own.length > 0 ? own : alias?.alternatives;
  if (alternatives === undefined) {
    if (aliasName === null) throw invalid(`${path}.spec`, 'must name the requested devices, unless alias_name does');
    throw invalid(`${path}.alias_name`, `names the alias '${aliasName}', which [pci] alias does not have`);
  }
  return {
    requestId: request.request_id ?? null,
    aliasName,
    count: request.count ?? 1,
    alternatives,
    numaPolicy: request.numa_policy ?? pciNumaPolicy(flavor, image) ?? alias?.numaPolicy ?? null,
  };
}

const conditionsOf = (properties: MergeMap): PciRequest['alternatives'][number] =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, value === null ? null : String(value)]));

export const pciRequestDocument = (request: PciRequest): PciRequestDto => ({
  request_id: request.requestId,
  alias_name: request.aliasName,
  count: request.count,
  spec: request.alternatives,
  numa_policy: request.numaPolicy,
});
