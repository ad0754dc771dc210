// Checks whether a host's PCI pools satisfy an instance's requests. Each request takes its devices before the next one
// is checked, from the pools with the fewest tags first. The result lists the taken devices as claims, so the charge
// equals the check.

import { booleanOf } from '../request-spec/boolean-text';
import type { HostNumaTopology } from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import { isGroupOf } from './in-placement';
import { nearPools } from './numa-affinity';

/** Devices taken from one pool. The pool is identified by its fields, because reports can reorder pools. */
export interface PciClaim {
  readonly pool: Omit<PciPool, 'count'>;
  readonly count: number;
}

export interface PciTerms {
  /** Ids of the instance's host cells; null if it has no NUMA cells, and then all pools are equally near. */
  readonly cells: readonly number[] | null;
  readonly topology: HostNumaTopology | null;
  /** Providers that Placement chose, by the suffix of the request group. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
}

interface PciFailure {
  /** Position of the unsatisfied request. */
  readonly at: number;
  readonly request: PciRequest;
  /** Free devices of the host with the required properties, including those that earlier requests took. */
  readonly matching: number;
  /** Devices that remain after earlier requests and the other rules. */
  readonly free: number;
}

/** Name of a request in a verdict. */
export const nameOfRequest = ({ at, request }: PciFailure): string =>
  request.aliasName ?? request.requestId ?? `#${at + 1}`;

export type PciFit =
  | { readonly fits: true; readonly claims: readonly PciClaim[] }
  | { readonly fits: false; readonly failure: PciFailure };

/** Tags for a pool's location in Placement, which do not describe its devices. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['resource_class', 'traits', 'rp_uuid']);

interface Stock {
  readonly pool: PciPool;
  free: number;
}

export function fitPci(pools: readonly PciPool[], requests: readonly PciRequest[], terms: PciTerms): PciFit {
  const stocks = inOrder(pools);
  const taken = new Map<Stock, number>();
  for (const [at, request] of requests.entries()) {
    const matching = stocks.filter(({ pool }) =>
      request.alternatives.some((alternative) => isWanted(pool, alternative)),
    );
    const usable = usableStocks(matching, request, terms);
    if (!take(usable, request, { chosen: providersOfRequest(request, terms.mappings), taken })) {
      const all = matching.reduce((total, { pool }) => total + pool.count, 0);
      return { fits: false, failure: { at, request, matching: all, free: sum(usable) } };
    }
  }
  return { fits: true, claims: claimsOf(taken) };
}

/** The least specific pools first, so more specific requests find their devices; a stable sort. */
function inOrder(pools: readonly PciPool[]): readonly Stock[] {
  const keyed = pools.map((pool) => ({ stock: { pool, free: pool.count }, keys: Object.keys(pool.tags).length }));
  return keyed.sort((one, other) => one.keys - other.keys).map(({ stock }) => stock);
}

/** Every required property must be equal, ignoring case. */
function isWanted(pool: PciPool, alternative: Readonly<Record<string, string | null>>): boolean {
  for (const [name, value] of Object.entries(alternative)) {
    if (NOT_COMPARED.has(name)) continue;
    if (propertyOf(pool, name)?.toLowerCase() !== value?.toLowerCase()) return false;
  }
  return true;
}

function propertyOf(pool: PciPool, name: string): string | undefined {
  switch (name) {
    case 'vendor_id':
      return pool.vendorId;
    case 'product_id':
      return pool.productId;
    case 'dev_type':
      return pool.devType;
    case 'numa_node':
      return pool.numaNode === null ? undefined : String(pool.numaNode);
    default:
      return Object.hasOwn(pool.tags, name) ? pool.tags[name] : undefined;
  }
}

function usableStocks(matching: readonly Stock[], request: PciRequest, terms: PciTerms): readonly Stock[] {
  const near = terms.cells === null ? matching : nearPools(matching, request, { ...terms, cells: terms.cells });
  const asksForType = (devType: string): boolean =>
    request.alternatives.some((alternative) => alternative['dev_type']?.toLowerCase() === devType.toLowerCase());
  const usable = near.filter(({ pool }) => {
    if (pool.devType === 'type-PF' && !asksForType('type-PF')) return false;
    if (pool.devType === 'type-VDPA' && !asksForType('type-VDPA')) return false;
    return !isRemoteManaged(pool.tags) || request.alternatives.some(isRemoteManaged);
  });
  const chosen = providersOfRequest(request, terms.mappings);
  if (chosen.size === 0) return usable;
  return usable.filter(({ pool, free }) => free >= (chosen.get(pool.tags['rp_uuid'] ?? '') ?? Infinity));
}

/** Any text that means true. */
const isRemoteManaged = (properties: Readonly<Record<string, string | null>>): boolean =>
  booleanOf(properties['remote_managed'] ?? '') === true;

/** The number of devices per provider that Placement chose: the groups `<request id>-<n>` of the candidate. */
export function providersOfRequest(
  { requestId }: PciRequest,
  mappings: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, number> {
  const chosen = new Map<string, number>();
  if (requestId === null) return chosen;
  for (const [suffix, [provider]] of Object.entries(mappings)) {
    if (isGroupOf(requestId, suffix) && provider !== undefined) chosen.set(provider, (chosen.get(provider) ?? 0) + 1);
  }
  return chosen;
}

/** Takes the devices, or returns false and takes none. From providers that Placement chose, takes the chosen number. */
function take(
  usable: readonly Stock[],
  request: PciRequest,
  { chosen, taken }: { readonly chosen: ReadonlyMap<string, number>; readonly taken: Map<Stock, number> },
): boolean {
  const quotas = new Map(chosen);
  const plan: [Stock, number][] = [];
  let missing = request.count;
  for (const stock of usable) {
    const provider = stock.pool.tags['rp_uuid'] ?? '';
    const quota = chosen.size === 0 ? missing : (quotas.get(provider) ?? 0);
    const count = Math.min(missing, quota, stock.free);
    if (count === 0) continue;
    quotas.set(provider, quota - count);
    plan.push([stock, count]);
    missing -= count;
  }
  if (missing > 0) return false;
  for (const [stock, count] of plan) {
    stock.free -= count;
    taken.set(stock, (taken.get(stock) ?? 0) + count);
  }
  return true;
}

function claimsOf(taken: ReadonlyMap<Stock, number>): readonly PciClaim[] {
  return [...taken].map(
    ([
      {
        pool: { count: _count, ...pool },
      },
      count,
    ]) => ({ pool, count }),
  );
}

const sum = (stocks: readonly Stock[]): number => stocks.reduce((total, { free }) => total + free, 0);
