// Rows of `compute_nodes` and what they say about a node.
import type { HostReport, ReportedInstance } from '../../scheduling-rules/host-state/host-facts';
import { NOVA_LIMITS } from './limits';
import {
  counterOf,
  InvalidText,
  metricsOf,
  numaTopologyOf,
  pciPoolsOf,
  statsOf,
  supportedInstancesOf,
} from './node-texts';
import { SharedValues } from './shared-values';
import { millisecondsOf } from './stamps';

/** The long columns. A poll compares their digests and reads the texts that changed. */
const TEXT_COLUMNS = ['cpu_info', 'supported_instances', 'metrics', 'pci_stats', 'numa_topology'] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** Columns that are compared as they are. The narrow form adds a digest under the name of each long column. */
const PLAIN_COLUMNS = [
  'uuid',
  'host',
  'hypervisor_hostname',
  'vcpus',
  'memory_mb',
  'local_gb',
  'vcpus_used',
  'local_gb_used',
  'free_ram_mb',
  'free_disk_gb',
  'disk_available_least',
  'hypervisor_type',
  'hypervisor_version',
  'host_ip',
  'cpu_allocation_ratio',
  'ram_allocation_ratio',
  'disk_allocation_ratio',
] as const;

const STAMPS = ['created_at', 'updated_at', 'deleted_at'] as const;

/** What a poll compares of each row that can have changed. */
export interface NodeMark {
  readonly id: number;
  readonly deleted: number;
  readonly updated_at: string | null;
  readonly deleted_at: string | null;
  readonly content: string;
}

/** The row without its long texts. */
export type NodeRow = NodeMark & {
  readonly [C in TextColumn | 'uuid' | 'host' | 'hypervisor_hostname' | 'host_ip' | 'stats']: string | null;
} & { readonly created_at: string | null } & {
  readonly [
    C in
      | 'free_ram_mb'
      | 'free_disk_gb'
      | 'disk_available_least'
      | 'cpu_allocation_ratio'
      | 'ram_allocation_ratio'
      | 'disk_allocation_ratio'
  ]: number | null;
} & {
  readonly [
    C in 'id' | 'deleted' | 'vcpus' | 'memory_mb' | 'local_gb' | 'vcpus_used' | 'local_gb_used' | 'hypervisor_version'
  ]: number;
} & { readonly hypervisor_type: string };

/**
 * `stats` without the value of `uptime`, which libvirt changes with each save (each minute). No rule can use it, so the
 * known one stays until something else changes. A text without `uptime` only gets a part of it appended.
 */
const LASTING_STATS =
  `CONCAT(SUBSTRING_INDEX(stats, '"uptime": "', 1), ` +
  `SUBSTRING(stats, LOCATE('"', stats, LOCATE('"uptime": "', stats) + 11)))`;

/** Digest of everything that a report contains. NULL counts as a dash. */
const CONTENT = `MD5(CONCAT_WS('/', IFNULL(${LASTING_STATS}, '-'), ${[
  ...PLAIN_COLUMNS.map((column) => `IFNULL(${column}, '-')`),
  ...TEXT_COLUMNS.map((column) => `IFNULL(MD5(${column}), '-')`),
].join(', ')})) AS content`;

/** The columns of NodeMark: the least that shows a change. */
export const MARK_COLUMNS = `id, deleted, updated_at, deleted_at, ${CONTENT}`;

/** The columns of NodeRow. */
export const NARROW_COLUMNS = [
  'id',
  'deleted',
  ...PLAIN_COLUMNS,
  'stats',
  ...STAMPS,
  ...TEXT_COLUMNS.map((column) => `MD5(${column}) AS ${column}`),
  CONTENT,
].join(', ');

/** `LEFT` bounds what one damaged row costs; a text that reaches the limit is invalid. */
export const textQuery = (column: TextColumn): string =>
  `SELECT id, LEFT(${column}, ${NOVA_LIMITS.jsonCharacters + 1}) AS text FROM compute_nodes WHERE id IN (?)`;

export interface TextRow {
  readonly id: number;
  readonly text: string | null;
}

/** The long columns of one node, read. `problems` has the sentence about each invalid column. */
export interface NodeTexts {
  readonly cpuInfo: unknown;
  readonly supportedInstances: HostReport['supportedInstances'];
  readonly metrics: HostReport['metrics'];
  readonly pciPools: HostReport['pciPools'];
  readonly numaTopology: HostReport['numaTopology'];
  readonly problems: Readonly<Partial<Record<TextColumn, string>>>;
}

export const NO_TEXTS: NodeTexts = Object.freeze({
  cpuInfo: null,
  supportedInstances: [],
  metrics: [],
  pciPools: [],
  numaTopology: null,
  problems: {},
});

/** Machines of one kind have equal CPUs and equal hypervisors. */
const SHARED = new SharedValues(NOVA_LIMITS.sharedTexts);

const READERS: Readonly<Record<TextColumn, (text: string | null) => Partial<NodeTexts>>> = {
  // The filters read the text; it is only shared here.
  cpu_info: (text) => ({ cpuInfo: text === null ? null : SHARED.of(`cpu_info\0${text}`, () => text) }),
  supported_instances: (text) => ({
    supportedInstances:
      text === null ? [] : SHARED.of(`supported_instances\0${text}`, () => supportedInstancesOf(text)),
  }),
  metrics: (text) => ({ metrics: metricsOf(text) }),
  pci_stats: (text) => ({ pciPools: pciPoolsOf(text) }),
  numa_topology: (text) => ({ numaTopology: numaTopologyOf(text) }),
};

/** The texts with one column replaced. */
export function withText(texts: NodeTexts, column: TextColumn, text: string | null): NodeTexts {
  const { [column]: _former, ...problems } = texts.problems;
  try {
    return { ...texts, problems, ...READERS[column](text) };
  } catch (error) {
    if (!(error instanceof InvalidText)) throw error;
    return { ...texts, problems: { ...problems, [column]: `column ${column} ${error.message}` } };
  }
}

/** The columns whose text differs from that of the known row. */
export const changedTexts = (row: NodeRow, known: NodeRow | undefined): readonly TextColumn[] =>
  TEXT_COLUMNS.filter((column) => row[column] !== (known === undefined ? null : known[column]));

export const savedAtOf = (updatedAt: string | null, createdAt: string | null): number =>
  millisecondsOf(updatedAt ?? createdAt) ?? 0;

/** The overcommit ratios of nodes whose columns are NULL or 0, from nova.conf. */
export interface DefaultRatios {
  readonly cpu: number;
  readonly ram: number;
  readonly disk: number;
}

/** The default for NULL and 0. The column is a 4-byte float, so 6 digits are exact. */
const ratioOf = (column: number | null, fallback: number): number =>
  column === null || column === 0 ? fallback : Number(column.toFixed(6));

/** A report without instances; or why the row cannot be used. */
export type NodeContent = { readonly report: HostReport } | { readonly problem: string; readonly isNew: boolean };

/** Law: the host state built from the result equals nova's host state of the row. */
export function contentOf(row: NodeRow, texts: NodeTexts, ratios: DefaultRatios): NodeContent {
  if (row.free_disk_gb === null) return { problem: 'column free_disk_gb is NULL', isNew: true };
  if (row.uuid === null) return { problem: 'column uuid is NULL', isNew: false };
  if (row.hypervisor_hostname === null) return { problem: 'column hypervisor_hostname is NULL', isNew: false };
  const [problem] = Object.values(texts.problems);
  if (problem !== undefined) return { problem, isNew: false };
  try {
    const stats = statsOf(row.stats);
    return { report: reportOf(row, texts, stats, ratios) };
  } catch (error) {
    if (!(error instanceof InvalidText)) throw error;
    return { problem: `column stats ${error.message}`, isNew: false };
  }
}

const reportOf = (row: NodeRow, texts: NodeTexts, stats: HostReport['stats'], ratios: DefaultRatios): HostReport => ({
  hypervisorType: row.hypervisor_type,
  hypervisorVersion: row.hypervisor_version,
  hypervisorHostname: row.hypervisor_hostname,
  cpuInfo: texts.cpuInfo,
  hostIp: row.host_ip,
  vcpusTotal: row.vcpus,
  vcpusUsed: row.vcpus_used,
  memoryMb: row.memory_mb,
  freeRamMb: row.free_ram_mb,
  localGb: row.local_gb,
  localGbUsed: row.local_gb_used,
  freeDiskGb: row.free_disk_gb,
  diskAvailableLeast: row.disk_available_least,
  cpuAllocationRatio: ratioOf(row.cpu_allocation_ratio, ratios.cpu),
  ramAllocationRatio: ratioOf(row.ram_allocation_ratio, ratios.ram),
  diskAllocationRatio: ratioOf(row.disk_allocation_ratio, ratios.disk),
  supportedInstances: texts.supportedInstances,
  stats,
  metrics: texts.metrics,
  failedBuilds: counterOf(stats, 'failed_builds'),
  // nova's used amounts contain the reserved ones.
  reservedHostCpus: null,
  reservedHostMemoryMb: null,
  reservedHostDiskMb: null,
  numaTopology: texts.numaTopology,
  pciPools: texts.pciPools,
  instances: [],
});

/** The report with the instances of its host. */
export const withInstances = (report: HostReport, instances: readonly ReportedInstance[]): HostReport => ({
  ...report,
  instances,
});
