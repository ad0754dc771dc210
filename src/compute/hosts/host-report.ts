// Converts a host's report for the scheduler, and checks the rules that span several fields of a report.
import { canonicalUuid } from '../../platform/values/uuid';
import type { HostReport, ReportedInstance } from '../../scheduling-rules/host-state/host-facts';
import { poolKey } from '../../scheduling-rules/pci/charge';
import type { HostNumaCell, HostNumaTopology } from '../../scheduling-rules/request-spec/numa-topology';
import type { PciPool } from '../../scheduling-rules/request-spec/pci-pool';
import { textsOf } from '../registry-schema';
import type { HostNumaCellDto, HostReportDto, PciPoolDto, ReportedInstanceDto } from './hosts.schema';

interface ReportProblem {
  /** Path of the field. */
  readonly field: string;
  readonly why: string;
}

/** The report with canonical instance uuids, and without image properties that are null. */
export function canonicalReport(body: HostReportDto): HostReportDto {
  if (body.instances?.every(isCanonical) ?? true) return body;
  const instances = body.instances?.map(({ image_properties: properties, ...instance }) => ({
    ...instance,
    uuid: canonicalUuid(instance.uuid) ?? instance.uuid,
    ...(properties && { image_properties: properties }),
  }));
  return { ...body, ...(instances && { instances }) };
}

const isCanonical = ({ uuid, image_properties: properties }: ReportedInstanceDto): boolean =>
  properties !== null && canonicalUuid(uuid) === uuid;

/** Parses a report. A value that the report omits becomes null, or an empty list. */
export const hostReportOf = (body: HostReportDto): HostReport => ({
  hypervisorType: body.hypervisor?.type ?? null,
  hypervisorVersion: body.hypervisor?.version ?? null,
  hypervisorHostname: body.hypervisor?.hostname ?? null,
  cpuInfo: body.hypervisor?.cpu_info ?? null,
  hostIp: body.host_ip ?? null,
  vcpusTotal: body.vcpus_total ?? null,
  vcpusUsed: body.vcpus_used ?? null,
  memoryMb: body.memory_mb ?? null,
  freeRamMb: body.free_ram_mb ?? null,
  localGb: body.local_gb ?? null,
  localGbUsed: body.local_gb_used ?? null,
  freeDiskGb: body.free_disk_gb ?? null,
  diskAvailableLeast: body.disk_available_least ?? null,
  cpuAllocationRatio: body.cpu_allocation_ratio ?? null,
  ramAllocationRatio: body.ram_allocation_ratio ?? null,
  diskAllocationRatio: body.disk_allocation_ratio ?? null,
  supportedInstances: body.supported_instances ?? [],
  stats: textsOf(body.stats ?? {}),
  metrics: (body.metrics ?? []).map(({ name, value, unit, measured_at: measuredAt }) => ({
    name,
    value,
    unit: unit ?? null,
    measuredAtMs: timeOf(measuredAt ?? null),
  })),
  failedBuilds: body.failed_builds ?? null,
  reservedHostCpus: body.reserved_host_cpus ?? null,
  reservedHostMemoryMb: body.reserved_host_memory_mb ?? null,
  reservedHostDiskMb: body.reserved_host_disk_mb ?? null,
  numaTopology: topologyOf(body.numa_topology?.cells ?? []),
  pciPools:
    body.pci_device_pools === undefined || body.pci_device_pools === null ? null : poolsOf(body.pci_device_pools),
  instances: body.instances?.map(instanceOf) ?? null,
});

function timeOf(time: string | number | null): number | null {
  if (typeof time !== 'string') return time;
  const parsed = Date.parse(time);
  return Number.isNaN(parsed) ? null : parsed;
}

const topologyOf = (cells: readonly HostNumaCellDto[]): HostNumaTopology | null =>
  cells.length === 0 ? null : { cells: cells.map(cellOf) };

const cellOf = (cell: HostNumaCellDto): HostNumaCell => ({
  id: cell.id,
  socket: cell.socket ?? null,
  cpuset: cell.cpuset ?? [],
  pcpuset: cell.pcpuset ?? [],
  pinnedCpus: cell.pinned_cpus ?? [],
  siblings: cell.siblings ?? [],
  memoryMb: cell.memory,
  cpuUsage: cell.cpu_usage ?? 0,
  memoryUsageMb: cell.memory_usage ?? 0,
  mempages: (cell.mempages ?? []).map(({ size_kb: sizeKb, total, used = 0, reserved = 0 }) => ({
    sizeKb,
    total,
    used,
    reserved,
  })),
  physnets: cell.physnets ?? [],
  tunneled: cell.tunneled ?? false,
});

/** Merges pools with equal attributes and adds up their counts. */
function poolsOf(documents: readonly PciPoolDto[]): readonly PciPool[] {
  const pools = new Map<string, PciPool>();
  for (const document of documents) {
    const pool: PciPool = {
      vendorId: document.vendor_id,
      productId: document.product_id,
      devType: document.dev_type ?? 'type-PCI',
      numaNode: document.numa_node ?? null,
      count: document.count,
      tags: textsOf(document.tags ?? {}),
    };
    pools.set(poolKey(pool), { ...pool, count: pool.count + (pools.get(poolKey(pool))?.count ?? 0) });
  }
  return [...pools.values()];
}

/** Shared by all instances without properties. */
const NO_PROPERTIES: ReportedInstance['imageProperties'] = {};

const instanceOf = (instance: ReportedInstanceDto): ReportedInstance => ({
  // Reports stored by older versions can contain uuids that are not canonical.
  uuid: canonicalUuid(instance.uuid) ?? instance.uuid.toLowerCase(),
  projectId: instance.project_id ?? null,
  flavor: instance.flavor ?? null,
  imageProperties: instance.image_properties ? textsOf(instance.image_properties) : NO_PROPERTIES,
  taskState: instance.task_state ?? null,
  vmState: instance.vm_state ?? null,
});

/** The first problem that makes the report invalid. */
export function problemOfReport({ numaTopology, instances }: HostReport): ReportProblem | undefined {
  const cells = numaTopology?.cells ?? [];
  const problems = [
    problemOfIds(cells),
    problemOfCpus(cells),
    ...cells.map(problemOfCell),
    problemOfInstances(instances ?? []),
  ];
  return problems.find((problem) => problem !== undefined);
}

function problemOfIds(cells: readonly HostNumaCell[]): ReportProblem | undefined {
  const at = cells.findIndex(({ id }, place) => cells.findIndex((cell) => cell.id === id) < place);
  return at < 0
    ? undefined
    : { field: `numa_topology.cells.${at}.id`, why: `is ${cells[at]?.id}, which another cell has` };
}

/** A CPU belongs to one cell. Within a cell it can be both shared and dedicated. */
function problemOfCpus(cells: readonly HostNumaCell[]): ReportProblem | undefined {
  const owner = new Map<number, number>();
  for (const [at, { id, cpuset, pcpuset }] of cells.entries()) {
    for (const cpu of new Set([...cpuset, ...pcpuset])) {
      const other = owner.get(cpu);
      if (other !== undefined)
        return { field: `numa_topology.cells.${at}`, why: `has CPU ${cpu}, as cell ${other} has` };
      owner.set(cpu, id);
    }
  }
  return undefined;
}

/** A pinned CPU must belong to the cell, a thread to one core, and each page size must be listed once. */
function problemOfCell(cell: HostNumaCell, at: number): ReportProblem | undefined {
  const field = `numa_topology.cells.${at}`;
  const own = new Set([...cell.cpuset, ...cell.pcpuset]);
  const stray = cell.pinnedCpus.find((cpu) => !own.has(cpu));
  if (stray !== undefined)
    return { field: `${field}.pinned_cpus`, why: `names CPU ${stray}, which is none of the cell's` };
  const thread = repeated(cell.siblings.flat());
  if (thread !== undefined) return { field: `${field}.siblings`, why: `names CPU ${thread} as a thread of two cores` };
  const size = repeated(cell.mempages.map(({ sizeKb }) => sizeKb));
  if (size !== undefined) return { field: `${field}.mempages`, why: `names pages of ${size} KiB twice` };
  return undefined;
}

function repeated(values: readonly number[]): number | undefined {
  const distinctValues = new Set<number>();
  return values.find((value) => distinctValues.size === distinctValues.add(value).size);
}

function problemOfInstances(instances: readonly ReportedInstance[]): ReportProblem | undefined {
  const distinctValues = new Set<string>();
  for (const [at, { uuid }] of instances.entries()) {
    if (distinctValues.has(uuid)) return { field: `instances.${at}.uuid`, why: `is ${uuid}, which is listed before` };
    distinctValues.add(uuid);
  }
  return undefined;
}
