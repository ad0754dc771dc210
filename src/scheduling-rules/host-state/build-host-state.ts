// Builds host states: from a host's last report, its providers and Berth's placements and releases since the report; or,
// for a root provider without a report, from its inventories and allocations. Pure; candidates are added later.
//
// Law: the use of a host is what Placement holds for it, plus what the host reports and Placement does not know. Each
// instance counts once, in any order of claim, report, release, move and restart:
//
//   use = max(reserved + allocated, reported + placed since the report - released since the report)
//
// Without a reported figure the use is that of Placement. It is never negative.

import type { Inventory, Provider } from '../../placement/candidate-search';
import { MIB_PER_GIB } from '../../placement/domain/inventory';
import type { NumaPciPlacement } from './charge-instance';
import { chargeInstance, EMPTY_PLACEMENT, releaseInstance } from './charge-instance';
import type {
  HostFacts,
  HostReport,
  PendingInstance,
  ReleasedInstance,
  ReportedInstance,
  ServiceFacts,
} from './host-facts';
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
  /** Seconds for which a placement that no report counts is an I/O operation; in nova's place, for which it counts. */
  readonly pendingTtlSeconds: number;
  /** False, as nova decides: the state contains only the report. */
  readonly countsPlacements: boolean;
  /** False, in nova's place: the figures of nova's database count all that Placement holds, except new placements. */
  readonly comparesPlacement: boolean;
}

/** The state of a reported host, by the law above. Sizes and ratios that the report omits come from the provider tree. */
export function reportedHostState(from: HostSources, options: BuildOptions): HostState {
  const { service, host, aggregates, tree } = from;
  const { report } = host;
  const root = rootOf(tree);
  const names = { host: service.host, node: host.node, uuid: root?.uuid ?? host.uuid ?? '' };
  const useOf = options.countsPlacements && options.comparesPlacement ? useByLaw : useByReport;
  const { placed, pending, recent } = placementsOn(from, options);
  const released = options.countsPlacements ? releasesOn(from) : [];
  const since = changeBy(pending, released);
  const count = countIn(report.stats, 'num_instances') ?? report.instances?.length ?? null;
  const ioOperations = countIn(report.stats, 'io_workload') ?? report.instances?.filter(loadsDisks).length ?? 0;
  const left = new Set(released.map(({ uuid }) => uuid));
  const ioOpsLeft = report.instances?.filter((instance) => left.has(instance.uuid) && loadsDisks(instance)).length ?? 0;
  return hostStateOf(names, amountsOfReport(report, tree, since, useOf), factsOfReport(report), {
    ...cellsWith(report, pending, released),
    instances: instancesOn(report, placed, released),
    numInstances: useOf(count, placed.length, pending.length - released.length),
    numIoOps: Math.max(0, ioOperations - ioOpsLeft) + recent.length,
    cell: host.cell,
    aggregates,
    traits: root?.traits ?? new Set(),
    service: service.service,
    updatedAtMs: host.reportedAtMs,
  });
}

/** The instances that the host lists and Berth did not release, and those that Berth placed. */
export function instancesOn(
  report: Pick<HostReport, 'instances'>,
  placed: readonly PendingInstance[],
  released: readonly Pick<ReleasedInstance, 'uuid'>[],
): ReadonlyMap<string, HostInstance> {
  const instances = new Map(report.instances?.map((instance): [string, HostInstance] => [instance.uuid, instance]));
  for (const { uuid } of released) instances.delete(uuid);
  for (const instance of placed) instances.set(instance.uuid, instanceOfPending(instance));
  return instances;
}

/** When the state must be built again without a write: the earliest end of the time of a placement. */
export function expiryOf(from: Pick<HostSources, 'service' | 'host'>, options: BuildOptions): number {
  const ends = placementsOn(from, options).recent.map(
    ({ placedAtMs }) => placedAtMs + options.pendingTtlSeconds * 1000,
  );
  return Math.min(Number.POSITIVE_INFINITY, ...ends);
}

interface Placements {
  /** Berth's placements on the node that its report does not list. */
  readonly placed: readonly PendingInstance[];
  /** Those that the figures of the report do not count. */
  readonly pending: readonly PendingInstance[];
  /** Those of `pending` whose time is not over. */
  readonly recent: readonly PendingInstance[];
}

const NO_PLACEMENTS: Placements = { placed: [], pending: [], recent: [] };

/** A report that lists no instances counts all that were placed before it. */
function placementsOn(
  { service, host }: Pick<HostSources, 'service' | 'host'>,
  { nowMs, pendingTtlSeconds, countsPlacements }: BuildOptions,
): Placements {
  if (!countsPlacements || service.pending.length === 0) return NO_PLACEMENTS;
  const { instances } = host.report;
  const listed = new Set(instances?.map(({ uuid }) => uuid));
  const isRecent = ({ placedAtMs }: PendingInstance): boolean => nowMs - placedAtMs < pendingTtlSeconds * 1000;
  const placed = service.pending.filter(
    (instance) =>
      instance.node === host.node && (instance.isUncounted === true ? isRecent(instance) : !listed.has(instance.uuid)),
  );
  const pending = instances === null ? placed.filter(({ placedAtMs }) => placedAtMs > host.reportedAtMs) : placed;
  return { placed, pending, recent: pending.filter(isRecent) };
}

/** Berth's releases that the report still lists. */
const releasesOn = ({ service, host }: HostSources): readonly ReleasedInstance[] =>
  service.released.filter(
    ({ node, uuid }) => node === host.node && host.report.instances?.some((instance) => instance.uuid === uuid),
  );

/** A root provider without a report: no type, architecture, NUMA or PCI data; its service counts as up. */
export function inventoryHostState(from: {
  readonly root: Provider;
  readonly tree: readonly Provider[];
  readonly aggregates: readonly HostAggregate[];
  /** Uuids of the consumers of the tree. */
  readonly instances: readonly string[];
  /** The service with its name. */
  readonly service: ServiceFacts | undefined;
  readonly nowMs: number;
}): HostState {
  const { root, tree, aggregates, service } = from;
  const placed = new Map(service?.pending.map((instance) => [instance.uuid, instanceOfPending(instance)]));
  const instances = from.instances.map(
    (uuid) => placed.get(uuid) ?? { uuid, projectId: null, flavor: null, imageProperties: NO_PROPERTIES },
  );
  return hostStateOf({ host: root.name, node: root.name, uuid: root.uuid }, amountsOfTree(tree), {
    numInstances: instances.length,
    instances: new Map(instances.map((instance) => [instance.uuid, instance])),
    aggregates,
    traits: root.traits,
    service: service === undefined ? null : aliveAt(service.service, from.nowMs),
  });
}

/** Shared: a large cloud has a million of such instances. */
const NO_PROPERTIES: HostInstance['imageProperties'] = {};

/** A service that never reports is judged by its switches alone. */
export const aliveAt = (service: HostService, nowMs: number): HostService =>
  service.lastSeenUpMs === null ? { ...service, lastSeenUpMs: nowMs } : service;

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

/** The use from the amounts that the host reports, that Placement holds, and the change since the report. */
type UseOf = (reported: number | null, held: number, since: number) => number;
const useByLaw: UseOf = (reported, held, since) => (reported === null ? held : Math.max(held, reported + since));
const useByReport: UseOf = (reported, held, since) => (reported === null ? held : reported + since);

function amountsOfReport(report: HostReport, tree: readonly Provider[], since: Amounts, useOf: UseOf): HostAmounts {
  const known = amountsOfTree(tree);
  const ramMb = report.memoryMb ?? known.totalUsableRamMb;
  const diskGb = report.localGb ?? known.totalUsableDiskGb;
  const inMb = (gib: number | null): number | null => (gib === null ? null : gib * MIB_PER_GIB);
  const freeOf = (total: number, free: number | null, held: number, change: number): number =>
    // Without a total there is no use to compare.
    total - (total === 0 ? useByReport : useOf)(free === null ? null : total - free, held, change);
  return {
    totalUsableRamMb: ramMb,
    freeRamMb: freeOf(ramMb, report.freeRamMb, known.totalUsableRamMb - known.freeRamMb, since.memoryMb),
    totalUsableDiskGb: diskGb,
    freeDiskMb: freeOf(diskGb * MIB_PER_GIB, inMb(freeDiskGbOf(report)), known.diskMbUsed, since.diskMb),
    diskMbUsed: useOf(inMb(report.localGbUsed), known.diskMbUsed, since.diskMb),
    vcpusTotal: report.vcpusTotal ?? known.vcpusTotal,
    vcpusUsed: useOf(report.vcpusUsed, known.vcpusUsed, since.vcpus),
    cpuAllocationRatio: ratioOf(report.cpuAllocationRatio, known.cpuAllocationRatio),
    ramAllocationRatio: ratioOf(report.ramAllocationRatio, known.ramAllocationRatio),
    diskAllocationRatio: ratioOf(report.diskAllocationRatio, known.diskAllocationRatio),
  };
}

/** The smaller of the reported free disk and the disks' remaining capacity. */
export const freeDiskGbOf = ({ freeDiskGb, diskAvailableLeast }: HostReport): number | null =>
  freeDiskGb === null ? null : Math.min(freeDiskGb, diskAvailableLeast ?? freeDiskGb);

function factsOfReport(report: HostReport): Partial<HostState> {
  const { stats } = report;
  return {
    failedBuilds: report.failedBuilds ?? countIn(stats, 'failed_builds') ?? 0,
    stats,
    hostIp: report.hostIp,
    hypervisorType: report.hypervisorType,
    hypervisorVersion: report.hypervisorVersion,
    hypervisorHostname: report.hypervisorHostname,
    cpuInfo: report.cpuInfo,
    supportedInstances: report.supportedInstances,
    metrics: report.metrics,
  };
}

const loadsDisks = ({ taskState, vmState }: ReportedInstance): boolean =>
  vmState === 'building' || (taskState !== null && IO_TASKS.has(taskState));

function countIn(stats: Readonly<Record<string, string>>, key: string): number | null {
  const text = Object.hasOwn(stats, key) ? stats[key] : undefined;
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : null;
}

function changeBy(pending: readonly PendingInstance[], released: readonly ReleasedInstance[]): Amounts {
  const change = { vcpus: 0, memoryMb: 0, diskMb: 0 };
  const add = ({ flavor, isBfv }: PendingInstance | ReleasedInstance, sign: 1 | -1): void => {
    const { vcpus, memoryMb, diskMb } = amountsOf(flavor, isBfv);
    change.vcpus += sign * vcpus;
    change.memoryMb += sign * memoryMb;
    change.diskMb += sign * diskMb;
  };
  for (const instance of released) add(instance, -1);
  for (const instance of pending) add(instance, 1);
  return change;
}

function cellsWith(
  { numaTopology, pciPools }: HostReport,
  pending: readonly PendingInstance[],
  released: readonly ReleasedInstance[],
): Pick<HostState, 'numaTopology' | 'pciPools'> {
  let cells: Pick<HostState, 'numaTopology' | 'pciPools'> = { numaTopology, pciPools };
  for (const instance of released) cells = releaseInstance(cells, placementOf(instance));
  for (const instance of pending) cells = chargeInstance(cells, placementOf(instance));
  return cells;
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
