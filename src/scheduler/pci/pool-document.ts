// PCI pools of a host and PCI requests of an instance as they travel, and back. Reading refuses by path.

import {
  COUNT_MAX,
  fieldsOf,
  integerOf,
  integerOrNull,
  itemsOf,
  oneOf,
  textOf,
  textOrNull,
} from '../numa/document-fields';
import { invalid } from '../request/request-refusal';
import { PCI_DEVICE_TYPES, PCI_NUMA_POLICIES } from './alias';
import type { PciAliases } from './alias';
import { poolKey } from './charge';
import { PCI_DEVICES_MAX } from './derive-requests';
import type { PciNumaPolicy, PciPool, PciRequest } from './pci-pool';

const POOL_FIELDS = ['vendor_id', 'product_id', 'dev_type', 'numa_node', 'count', 'tags'] as const;
const REQUEST_FIELDS = ['request_id', 'alias_name', 'count', 'spec', 'numa_policy'] as const;
/** Pools of one host; each port of each card may be one. */
const POOLS_MAX = 4_096;
const REQUESTS_MAX = 256;
const ALTERNATIVES_MAX = 64;
const TAGS_MAX = 100;

export interface PciPoolDocument {
  readonly vendor_id: string;
  readonly product_id: string;
  readonly dev_type: PciPool['devType'];
  readonly numa_node: number | null;
  readonly count: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** Pools from their documents, like ones added up; null: the host reports no PCI data. */
export function readPciPools(value: unknown, path = 'pci_device_pools'): readonly PciPool[] | null {
  if (value === undefined || value === null) return null;
  const pools = new Map<string, PciPool>();
  for (const [item, at] of itemsOf(value, path, POOLS_MAX)) {
    const pool = readPool(item, at);
    const count = pool.count + (pools.get(poolKey(pool))?.count ?? 0);
    if (count > COUNT_MAX) throw invalid(`${at}.count`, `like pools have more than ${COUNT_MAX} devices together`);
    pools.set(poolKey(pool), { ...pool, count });
  }
  return [...pools.values()];
}

function readPool(value: unknown, path: string): PciPool {
  const pool = fieldsOf(value, path, POOL_FIELDS);
  return {
    vendorId: textOf(pool['vendor_id'], `${path}.vendor_id`),
    productId: textOf(pool['product_id'], `${path}.product_id`),
    devType: oneOf(pool['dev_type'] ?? 'type-PCI', `${path}.dev_type`, PCI_DEVICE_TYPES),
    numaNode: integerOrNull(pool['numa_node'], `${path}.numa_node`),
    count: integerOf(pool['count'], `${path}.count`),
    tags: readTexts(pool['tags'] ?? {}, `${path}.tags`),
  };
}

/** Names and texts; a true or false, as hosts write some tags, is its text. */
function readTexts(value: unknown, path: string): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(path, 'must be an object');
  const entries = Object.entries(value) as [string, unknown][];
  if (entries.length > TAGS_MAX) throw invalid(path, `has ${entries.length} entries; at most ${TAGS_MAX} are allowed`);
  return Object.fromEntries(
    entries.map(([name, text]) => [
      name,
      typeof text === 'boolean' || text === '' ? String(text) : textOf(text, `${path}.${name}`),
    ]),
  );
}

export function pciPoolDocument({ vendorId, productId, devType, numaNode, count, tags }: PciPool): PciPoolDocument {
  return { vendor_id: vendorId, product_id: productId, dev_type: devType, numa_node: numaNode, count, tags };
}

/** What requests without their own are given. */
export interface PciRequestDefaults {
  readonly aliases: PciAliases;
  /** Of flavor and image. */
  readonly numaPolicy: PciNumaPolicy | null;
}

/**
 * PCI requests that a request gives itself instead of `auto`: `count` devices each, of the kinds in `spec` (alternatives)
 * or of the alias named.
 */
export function readPciRequests(
  value: unknown,
  { aliases, numaPolicy }: PciRequestDefaults,
  path = 'pci_requests',
): readonly PciRequest[] {
  return itemsOf(value ?? undefined, path, REQUESTS_MAX).map(([item, at]) => {
    const request = fieldsOf(item, at, REQUEST_FIELDS);
    const aliasName = textOrNull(request['alias_name'], `${at}.alias_name`);
    const alias = aliasName === null ? undefined : aliases.get(aliasName);
    const own = itemsOf(request['spec'] ?? undefined, `${at}.spec`, ALTERNATIVES_MAX);
    const alternatives = own.length > 0 ? own.map(([spec, where]) => readTexts(spec, where)) : alias?.alternatives;
    if (alternatives === undefined) {
      if (aliasName === null) throw invalid(`${at}.spec`, 'must name the wanted devices, unless alias_name does');
      throw invalid(`${at}.alias_name`, `there is no alias '${aliasName}' in [pci] alias`);
    }
    const policy = request['numa_policy'];
    return {
      requestId: textOrNull(request['request_id'], `${at}.request_id`),
      aliasName,
      count: integerOf(request['count'] ?? 1, `${at}.count`, { min: 1, max: PCI_DEVICES_MAX }),
      alternatives,
      numaPolicy:
        policy === undefined || policy === null
          ? (alias?.numaPolicy ?? numaPolicy)
          : oneOf(policy, `${at}.numa_policy`, PCI_NUMA_POLICIES),
    };
  });
}

/** Reading what this shows gives the same requests. */
export function pciRequestDocument({ requestId, aliasName, count, alternatives, numaPolicy }: PciRequest): unknown {
  return { request_id: requestId, alias_name: aliasName, count, spec: alternatives, numa_policy: numaPolicy };
}
