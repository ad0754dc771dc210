// Reads the JSON columns of `compute_nodes`. A text that nova cannot have written makes its node invalid, not the poll.
import type { JsonObject } from '../../platform/values/json-object';
import { isJsonObject } from '../../platform/values/json-object';
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';
import type { HostMetric } from '../../scheduling-rules/host-state/host-state';
import { parseCpuList } from '../../scheduling-rules/numa/cpu-list';
import { poolKey } from '../../scheduling-rules/pci/charge';
import type { HostNumaCell, HostNumaTopology, MemoryPages } from '../../scheduling-rules/request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../../scheduling-rules/request-spec/numa-topology';
import type { PciDeviceType, PciPool } from '../../scheduling-rules/request-spec/pci-pool';
import { NOVA_LIMITS } from './limits';

/** The text is not what nova writes. The message continues the sentence "column X …". */
export class InvalidText extends Error {
  override readonly name = 'InvalidText';
}

type Members = JsonObject;

/** Null for a NULL or empty column. */
function parse(text: string | null): unknown {
  if (text === null || text.trim() === '') return null;
  if (text.length > NOVA_LIMITS.jsonCharacters)
    throw new InvalidText(`is longer than ${NOVA_LIMITS.jsonCharacters} characters`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidText('is not JSON');
  }
}

const VERSION_ONE = /^1\.\d+/;

/** The members of a versioned object; other objects as they are. */
function membersOf(value: unknown, name: string): Members {
  if (!isJsonObject(value)) throw new InvalidText(`does not contain a ${name}`);
  const { 'nova_object.version': version, 'nova_object.data': data } = value;
  if (version === undefined) return value;
  if (typeof version !== 'string' || !VERSION_ONE.test(version))
    throw new InvalidText(`contains ${name} in an unsupported version`);
  if (!isJsonObject(data)) throw new InvalidText(`contains ${name} without nova_object.data`);
  return data;
}

/** A scalar as text, anything else as JSON. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function listOf(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as readonly unknown[];
  throw new InvalidText(`contains ${what} that is not a list`);
}

function numberOf(value: unknown, what: string, missing?: number): number {
  if ((value === undefined || value === null) && missing !== undefined) return missing;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InvalidText(`contains ${what} that is not a number`);
}

/** Sets come in any order; the result is ascending. */
const numbersOf = (value: unknown, what: string): readonly number[] =>
  listOf(value, what)
    .map((one) => numberOf(one, what))
    .sort((one, other) => one - other);

/** `numa_topology`: NUMATopology 1.x, or the form without versions that nova wrote before Liberty. */
export function numaTopologyOf(text: string | null): HostNumaTopology | null {
  const value = parse(text);
  if (value === null) return null;
  const { cells } = membersOf(value, 'NUMATopology');
  const list = listOf(cells, 'cells');
  if (list.length > NUMA_CELLS_MAX) throw new InvalidText(`contains more than ${NUMA_CELLS_MAX} cells`);
  return list.length === 0 ? null : { cells: list.map(numaCellOf) };
}

function numaCellOf(value: unknown): HostNumaCell {
  const cell = membersOf(value, 'NUMACell');
  const network = cell['network_metadata'];
  const { physnets, tunneled } =
    network === undefined || network === null ? ({} as Members) : membersOf(network, 'NetworkMetadata');
  const old = isJsonObject(cell['mem']) ? cell['mem'] : undefined;
  return {
    id: numberOf(cell['id'], 'a cell id'),
    socket: typeof cell['socket'] === 'number' ? cell['socket'] : null,
    cpuset: cpusetOf(cell),
    pcpuset: numbersOf(cell['pcpuset'], 'pcpuset'),
    pinnedCpus: numbersOf(cell['pinned_cpus'], 'pinned_cpus'),
    siblings: listOf(cell['siblings'], 'siblings').map((threads) => numbersOf(threads, 'siblings')),
    memoryMb: numberOf(cell['memory'] ?? old?.['total'], 'memory'),
    cpuUsage: numberOf(cell['cpu_usage'], 'cpu_usage', 0),
    memoryUsageMb: numberOf(cell['memory_usage'] ?? old?.['used'], 'memory_usage', 0),
    mempages: listOf(cell['mempages'], 'mempages').map(pagesOf),
    physnets: listOf(physnets, 'physnets').map(String),
    tunneled: tunneled === true,
  };
}

function cpusetOf(cell: Members): readonly number[] {
  if (typeof cell['cpus'] !== 'string') return numbersOf(cell['cpuset'], 'cpuset');
  const cpus = cell['cpus'].trim() === '' ? [] : parseCpuList(cell['cpus']);
  if (typeof cpus === 'string') throw new InvalidText(`contains cpus that are not a list of CPUs: ${cpus}`);
  return cpus;
}

function pagesOf(value: unknown): MemoryPages {
  const pages = membersOf(value, 'NUMAPagesTopology');
  return {
    sizeKb: numberOf(pages['size_kb'], 'size_kb'),
    total: numberOf(pages['total'], 'total'),
    used: numberOf(pages['used'], 'used', 0),
    reserved: numberOf(pages['reserved'], 'reserved', 0),
  };
}

const DEVICE_TYPES: ReadonlySet<unknown> = new Set<PciDeviceType>(['type-PCI', 'type-PF', 'type-VF', 'type-VDPA']);
const POOL_FIELDS: ReadonlySet<string> = new Set(['vendor_id', 'product_id', 'numa_node', 'count', 'tags']);

/** `pci_stats`: PciDevicePoolList 1.x, or older lists of pools. NULL and text that nova cannot read: no pools. */
export function pciPoolsOf(text: string | null): readonly PciPool[] {
  try {
    const value = parse(text);
    if (value === null) return [];
    const pools = new Map<string, PciPool>();
    for (const item of poolItems(value)) {
      const pool = poolOf(membersOf(item, 'PciDevicePool'));
      const key = poolKey(pool);
      const same = pools.get(key);
      pools.set(key, same === undefined ? pool : { ...pool, count: pool.count + same.count });
    }
    return [...pools.values()];
  } catch (error) {
    // nova shows the filters a host without pools in this case.
    if (error instanceof InvalidText) return [];
    throw error;
  }
}

function poolItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  const members = membersOf(value, 'PciDevicePoolList');
  return 'objects' in members ? listOf(members['objects'], 'objects') : [members];
}

function poolOf(members: Members): PciPool {
  const tags: Record<string, string> = {};
  let devType: PciDeviceType = 'type-PCI';
  const sources = isJsonObject(members['tags']) ? [members, members['tags']] : [members];
  for (const source of sources) {
    for (const [key, value] of Object.entries(source)) {
      if (source === members && POOL_FIELDS.has(key)) continue;
      if (key === 'dev_type' && DEVICE_TYPES.has(value)) devType = value as PciDeviceType;
      else if (value !== null) tags[key] = textOf(value);
    }
  }
  const numaNode = members['numa_node'];
  return {
    vendorId: String(members['vendor_id']),
    productId: String(members['product_id']),
    devType,
    numaNode: typeof numaNode === 'number' ? numaNode : null,
    count: numberOf(members['count'], 'count'),
    tags,
  };
}

/** Stored as fractions, compared as percentages. */
const FRACTIONS: ReadonlySet<string> = new Set([
  'cpu.kernel.percent',
  'cpu.user.percent',
  'cpu.idle.percent',
  'cpu.iowait.percent',
  'cpu.percent',
]);

/** `metrics`. A metric of several values (`numa_membw_values`) has no value that a weigher can use. */
export function metricsOf(text: string | null): readonly HostMetric[] {
  const metrics: HostMetric[] = [];
  for (const item of listOf(parse(text), 'metrics')) {
    if (!isJsonObject(item) || typeof item['name'] !== 'string')
      throw new InvalidText('contains a metric without name');
    const { name, value, timestamp } = item;
    if (typeof value !== 'number') continue;
    metrics.push({
      name,
      value: Math.trunc(FRACTIONS.has(name) ? value * 100 : value),
      unit: null,
      measuredAtMs: typeof timestamp === 'string' ? timeOf(timestamp) : null,
    });
  }
  return metrics;
}

/** nova writes UTC without a zone. */
function timeOf(timestamp: string): number | null {
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(timestamp) ? timestamp : `${timestamp}Z`);
  return Number.isNaN(at) ? null : at;
}

/** `supported_instances`: [architecture, hypervisor type, VM mode]. */
export const supportedInstancesOf = (text: string | null): HostReport['supportedInstances'] =>
  listOf(parse(text), 'supported_instances').map((triple) =>
    listOf(triple, 'supported_instances').map((part) => String(part)),
  );

const COUNTERS = ['num_instances', 'io_workload'] as const;

/** Python's `int()` of a text. */
const COUNTER = /^\s*[+-]?\d+\s*$/;

/**
 * `stats`. Law: a counter that is missing is 0, so the counters are always present. Keys whose value is null are not.
 */
export function statsOf(text: string | null): Readonly<Record<string, string>> {
  const value = parse(text) ?? {};
  if (!isJsonObject(value)) throw new InvalidText('is not a JSON object');
  const stats: Record<string, string> = {};
  for (const [key, one] of Object.entries(value)) if (one !== null) stats[key] = textOf(one);
  for (const name of COUNTERS) stats[name] = String(counterOf(stats, name));
  return stats;
}

/** A negative counter is 0: every rule compares counters with a limit of at least 0. */
export function counterOf(stats: Readonly<Record<string, string>>, name: string): number {
  const text = stats[name];
  if (text === undefined) return 0;
  if (!COUNTER.test(text)) throw new InvalidText(`contains ${name} = '${text.slice(0, 40)}', which is not an integer`);
  return Math.max(0, Number(text));
}
