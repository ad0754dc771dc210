// Builds host states: from a host's last report with Berth's placements and releases since then; or, for a root
// provider without a report, from its inventories and allocations. Pure; candidates are added later.

import type { Inventory, Provider } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { NumaPciPlacement } from './charge-instance';
import { chargeInstance, EMPTY_PLACEMENT, releaseInstance } from './charge-instance';
import type { HostFacts, HostReport, PendingInstance, ReleasedInstance, ServiceFacts } from './host-facts';
import type { HostAggregate, HostInstance, HostService, HostState } from './host-state';
import { hostStateOf, sumOfTree } from './host-state';

/** Tasks that load a host's disks. Together with building instances they count as I/O operations. */
const IO_TASKS: ReadonlySet<string> = new Set([
  'resize_migrating',
  'rebuilding',
  'resize_prep',
  'image_snapshot',
  'image_backup',
  'rescuing',
  'unshelving',
]);

/** A flavor in the documents of placements. */
interface FlavorAmounts {
  readonly name?: string | null;
  readonly vcpus?: number;
  readonly memory_mb?: number;
  readonly root_gb?: number;
  readonly ephemeral_gb?: number;
  readonly swap?: number;
}

/** Amounts of one instance, as requested from Placement. */
interface Amounts {
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly diskMb: number;
}

export interface HostSources {
  readonly service: ServiceFacts;
  readonly host: HostFacts;
  readonly aggregates: readonly HostAggregate[];
  readonly tree: readonly Provider[];
}

export interface BuildOptions {
  readonly nowMs: number;
  /** Seconds for which a placement counts on a host that does not report it. */
  readonly pendingTtlSeconds: number;
  /** False: the state contains only the report. */
  readonly countsPlacements: boolean;
}

/**
 * The state of a reported host: its last report, plus Berth's placements that no report lists yet, minus Berth's
 * releases that the report still lists. Values missing in the report come from the provider tree.
 */
export function reportedHostState(from: HostSources, options: BuildOptions): HostState {
  const { service, host, aggregates, tree } = from;
  const root = rootOf(tree);
  const names = { host: service.host, node: host.node, uuid: root?.uuid ?? host.uuid ?? '' };
  const base = hostStateOf(names, amountsOfReport(host.report, tree), factsOfReport(host.report), {
    cell: host.cell,
    aggregates,
    traits: root?.traits ?? new Set(),
    service: service.service,
    updatedAtMs: host.reportedAtMs,
  });
  if (!options.countsPlacements) return base;
  const pending = service.pending.filter((instance) => isPending(instance, host, options));
  const released = service.released.filter(
    ({ node, uuid }) => node === host.node && base.instances.has(uuid) && !pending.some((one) => one.uuid === uuid),
  );
  const left = new Set(released.map(({ uuid }) => uuid));
  const ioOpsLeft = host.report.instances.filter((instance) => left.has(instance.uuid) && loadsDisks(instance)).length;
  return withPlacements({ ...base, numIoOps: Math.max(0, base.numIoOps - ioOpsLeft) }, pending, released);
}

/** When the state must be built again without a write: the earliest expiry of a pending placement. */
export function expiryOf({ service, host }: Pick<HostSources, 'service' | 'host'>, options: BuildOptions): number {
  const ends = service.pending
    .filter((instance) => isPending(instance, host, options))
    .map(({ placedAtMs }) => placedAtMs + options.pendingTtlSeconds * 1000);
  return Math.min(Number.POSITIVE_INFINITY, ...ends);
}

function isPending(instance: PendingInstance, host: HostFacts, { nowMs, pendingTtlSeconds }: BuildOptions): boolean {
  if (instance.node !== host.node) return false;
  if (nowMs - instance.placedAtMs >= pendingTtlSeconds * 1000) return false;
  return instance.isUncounted === true || !host.report.instances.some(({ uuid }) => uuid === instance.uuid);
}

/** A root provider without a report: no type, architecture, NUMA or PCI data; its service counts as up. */
export function inventoryHostState(from: {
  readonly root: Provider;
  readonly tree: readonly Provider[];
  readonly aggregates: readonly HostAggregate[];
  readonly instances: readonly HostInstance[];
  readonly service: HostService | null;
}): HostState {
  const { root, tree, aggregates, instances, service } = from;
  return hostStateOf({ host: root.name, node: root.name, uuid: root.uuid }, amountsOfTree(tree), {
    numInstances: instances.length,
    instances: new Map(instances.map((instance) => [instance.uuid, instance])),
    aggregates,
    traits: root.traits,
    service,
  });
}

const rootOf = (tree: readonly Provider[]): Provider | undefined =>
  tree.find((provider) => provider.parentUuid === null);

type HostAmounts = Pick<
  HostState,
  | 'totalUsableRamMb'
  | 'freeRamMb'
  | 'totalUsableDiskGb'
  | 'freeDiskMb'
  | 'diskMbUsed'
  | 'vcpusTotal'
  | 'vcpusUsed'
  | 'cpuAllocationRatio'
  | 'ramAllocationRatio'
  | 'diskAllocationRatio'
>;

const freeOf = ({ total, reserved, used }: Pick<Inventory, 'total' | 'reserved' | 'used'>): number =>
  total - reserved - used;

function amountsOfTree(tree: readonly Provider[]): HostAmounts {
  const [vcpu, pcpu] = [sumOfTree(tree, 'VCPU'), sumOfTree(tree, 'PCPU')];
  const [ram, disk] = [sumOfTree(tree, 'MEMORY_MB'), sumOfTree(tree, 'DISK_GB')];
  return {
    totalUsableRamMb: ram.total,
    freeRamMb: freeOf(ram),
    totalUsableDiskGb: disk.total,
    freeDiskMb: freeOf(disk) * MIB_PER_GIB,
    diskMbUsed: (disk.used + disk.reserved) * MIB_PER_GIB,
    vcpusTotal: vcpu.total + pcpu.total,
    vcpusUsed: vcpu.used + pcpu.used,
    cpuAllocationRatio: vcpu.allocationRatio,
    ramAllocationRatio: ram.allocationRatio,
    diskAllocationRatio: disk.allocationRatio,
  };
}

/** A ratio of 0 means that it is not reported. */
const ratioOf = (reported: number | null, known: number): number =>
  reported === null || reported === 0 ? known : reported;

function amountsOfReport(report: HostReport, tree: readonly Provider[]): HostAmounts {
  const known = amountsOfTree(tree);
  return {
    totalUsableRamMb: report.memoryMb ?? known.totalUsableRamMb,
    freeRamMb: report.freeRamMb ?? known.freeRamMb,
    totalUsableDiskGb: report.localGb ?? known.totalUsableDiskGb,
    freeDiskMb: freeDiskMb(report) ?? known.freeDiskMb,
    diskMbUsed: report.localGbUsed === null ? known.diskMbUsed : report.localGbUsed * MIB_PER_GIB,
    vcpusTotal: report.vcpusTotal ?? known.vcpusTotal,
    vcpusUsed: report.vcpusUsed ?? known.vcpusUsed,
    cpuAllocationRatio: ratioOf(report.cpuAllocationRatio, known.cpuAllocationRatio),
    ramAllocationRatio: ratioOf(report.ramAllocationRatio, known.ramAllocationRatio),
    diskAllocationRatio: ratioOf(report.diskAllocationRatio, known.diskAllocationRatio),
  };
}

/** The smaller of the reported free disk and the disks' remaining capacity. */
function freeDiskMb({ freeDiskGb, diskAvailableLeast }: HostReport): number | null {
  if (freeDiskGb === null) return null;
  return MIB_PER_GIB * (diskAvailableLeast === null ? freeDiskGb : Math.min(freeDiskGb, diskAvailableLeast));
}

function factsOfReport(report: HostReport): Partial<HostState> {
  const { stats } = report;
  const instances = new Map(report.instances.map((instance): [string, HostInstance] => [instance.uuid, instance]));
  return {
    numInstances: countIn(stats, 'num_instances') ?? instances.size,
    numIoOps: countIn(stats, 'io_workload') ?? report.instances.filter(loadsDisks).length,
    failedBuilds: report.failedBuilds ?? countIn(stats, 'failed_builds') ?? 0,
    stats,
    hostIp: report.hostIp,
    hypervisorType: report.hypervisorType,
    hypervisorVersion: report.hypervisorVersion,
    hypervisorHostname: report.hypervisorHostname,
    cpuInfo: report.cpuInfo,
    supportedInstances: report.supportedInstances,
    metrics: report.metrics,
    numaTopology: report.numaTopology,
    pciPools: report.pciPools,
    instances,
  };
}

const loadsDisks = ({ taskState, vmState }: HostReport['instances'][number]): boolean =>
  vmState === 'building' || (taskState !== null && IO_TASKS.has(taskState));

function countIn(stats: Readonly<Record<string, string>>, key: string): number | null {
  const text = Object.hasOwn(stats, key) ? stats[key] : undefined;
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : null;
}

function withPlacements(
  base: HostState,
  pending: readonly PendingInstance[],
  released: readonly ReleasedInstance[],
): HostState {
  if (pending.length === 0 && released.length === 0) return base;
  const instances = new Map(base.instances);
  let { freeRamMb, freeDiskMb: freeDisk, vcpusUsed } = base;
  let cells: Pick<HostState, 'numaTopology' | 'pciPools'> = base;
  for (const instance of released) {
    const amounts = amountsOf(instance.flavor, instance.isBfv);
    instances.delete(instance.uuid);
    [freeRamMb, freeDisk, vcpusUsed] = [
      freeRamMb + amounts.memoryMb,
      freeDisk + amounts.diskMb,
      vcpusUsed - amounts.vcpus,
    ];
    cells = releaseInstance(cells, placementOf(instance));
  }
  for (const instance of pending) {
    const amounts = amountsOf(instance.flavor, instance.isBfv);
    instances.set(instance.uuid, instanceOfPending(instance));
    [freeRamMb, freeDisk, vcpusUsed] = [
      freeRamMb - amounts.memoryMb,
      freeDisk - amounts.diskMb,
      vcpusUsed + amounts.vcpus,
    ];
    cells = chargeInstance(cells, placementOf(instance));
  }
  return {
    ...base,
    freeRamMb,
    freeDiskMb: freeDisk,
    vcpusUsed,
    numaTopology: cells.numaTopology,
    pciPools: cells.pciPools,
    instances,
    numInstances: Math.max(0, base.numInstances + pending.length - released.length),
    numIoOps: base.numIoOps + pending.length,
  };
}

/** The root disk of a volume-backed instance is not on the host; its swap is. */
function amountsOf(flavor: unknown, isBfv: boolean): Amounts {
  const given = (flavor ?? {}) as FlavorAmounts;
  const disks = (given.ephemeral_gb ?? 0) + (isBfv ? 0 : (given.root_gb ?? 0));
  return {
    vcpus: given.vcpus ?? 0,
    memoryMb: given.memory_mb ?? 0,
    diskMb: disks * MIB_PER_GIB + Math.ceil((given.swap ?? 0) / MIB_PER_GIB) * MIB_PER_GIB,
  };
}

/** The instance's NUMA cells and PCI devices, as stored with its placement. */
function placementOf(instance: Pick<PendingInstance, 'numaTopology' | 'pciRequests'>): NumaPciPlacement {
  return {
    numa: (instance.numaTopology as NumaPciPlacement['numa'] | undefined) ?? EMPTY_PLACEMENT.numa,
    pci: (instance.pciRequests as NumaPciPlacement['pci'] | undefined | null) ?? EMPTY_PLACEMENT.pci,
  };
}

/** An instance that Berth placed, as filters see it. */
export function instanceOfPending({ uuid, projectId, flavor, image }: PendingInstance): HostInstance {
  const properties = (image as { readonly properties?: Readonly<Record<string, unknown>> } | null)?.properties ?? {};
  return {
    uuid,
    projectId,
    flavor: (flavor as FlavorAmounts | null)?.name ?? null,
    imageProperties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, String(value)])),
  };
}
