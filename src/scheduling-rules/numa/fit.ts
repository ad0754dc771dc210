// Assigns the NUMA cells of an instance to cells of a host. Law: the result is the first ordered selection of host
// cells on which every cell fits, the PCI requests are satisfied and the networks are reached. The order is that of
// order-cells.ts. The search is complete, and does not charge the host.
//
// Whether the remaining cells can be placed depends on the set of taken host cells, not on which instance cell took
// which. So a failed set is never tried again, and the search is bounded by sets, not by permutations.

import { assert } from '../../platform/values/assert';
import type { PciClaim } from '../pci/fit';
import { fitPci, nameOfRequest } from '../pci/fit';
import type { HostNumaCell, HostNumaTopology, InstanceNumaTopology, NumaNetwork } from '../request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import { fitCell } from './fit-cell';
import type { FittedNumaCell, FittedNumaTopology, NumaFailure } from './fitted-topology';
import { failureRank, isFailure } from './fitted-topology';
import { missingNetwork } from './network-affinity';
import { orderCells } from './order-cells';

/** Sets of host cells tried for one instance on one host: all sets of a host with a dozen cells. */
export const NUMA_ASSIGNMENTS_MAX = 10_000;

/** The facts about a host that the fit uses. */
export interface NumaHost {
  readonly topology: HostNumaTopology;
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  /** Null: the host reports no PCI data. */
  readonly pciPools: readonly PciPool[] | null;
}

/** Requirements of the instance in addition to its cells. */
export interface NumaTerms {
  readonly packing: boolean;
  readonly pciRequests: readonly PciRequest[];
  /** Providers that Placement chose, by the suffix of the request group. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
  readonly network: NumaNetwork | null;
}

export type NumaFit =
  | { readonly fits: true; readonly fitted: FittedNumaTopology; readonly pciClaims: readonly PciClaim[] }
  | { readonly fits: false; readonly failure: NumaFailure };

export function fitNumaTopology(requestedTopology: InstanceNumaTopology, host: NumaHost, terms: NumaTerms): NumaFit {
  const { cells } = host.topology;
  if (requestedTopology.cells.length > cells.length) {
    return failed({ code: 'too_few_cells', params: { asked: requestedTopology.cells.length, cells: cells.length } });
  }
  if (cells.length > NUMA_CELLS_MAX) {
    return failed({ code: 'too_many_cells', params: { cells: cells.length, limit: NUMA_CELLS_MAX } });
  }
  const { packing, pciRequests } = terms;
  const ordered =
    cells.length > requestedTopology.cells.length
      ? orderCells(cells, requestedTopology, { packing, pciPools: host.pciPools, asksPci: pciRequests.length > 0 })
      : cells;
  return search({
    requestedTopology,
    host,
    ordered,
    terms,
    pairs: new Map(),
    deadEnds: new Set(),
    visited: 0,
    isExhausted: false,
    deepest: null,
  });
}

const failed = (failure: NumaFailure): NumaFit => ({ fits: false, failure });

/** One depth-first search over the instance's cells. */
interface Search {
  readonly requestedTopology: InstanceNumaTopology;
  readonly host: NumaHost;
  readonly ordered: readonly HostNumaCell[];
  readonly terms: NumaTerms;
  readonly pairs: Map<number, FittedNumaCell | NumaFailure>;
  readonly deadEnds: Set<number>;
  visited: number;
  /** The limit was reached and the search has stopped. */
  isExhausted: boolean;
  deepest: { readonly depth: number; readonly failure: NumaFailure } | null;
}

function search(state: Search): NumaFit {
  const found = extend(state, [], 0);
  if (found !== null) return found;
  if (state.isExhausted) {
    return failed({ code: 'too_many_assignments', params: { tried: state.visited, limit: NUMA_ASSIGNMENTS_MAX } });
  }
  assert(state.deepest !== null, 'a search that found nothing has met a failure');
  return failed(state.deepest.failure);
}

/** `taken` is a bit set of host cells, by position. */
function extend(state: Search, chosen: readonly FittedNumaCell[], taken: number): NumaFit | null {
  if (state.deadEnds.has(taken)) return null;
  if (state.visited === NUMA_ASSIGNMENTS_MAX) {
    state.isExhausted = true;
    return null;
  }
  state.visited += 1;
  const isComplete = chosen.length === state.requestedTopology.cells.length;
  const found = isComplete ? complete(state, chosen) : placeNext(state, chosen, taken);
  if (found === null) state.deadEnds.add(taken);
  return found;
}

function placeNext(state: Search, chosen: readonly FittedNumaCell[], taken: number): NumaFit | null {
  for (const position of state.ordered.keys()) {
    const bit = 2 ** position;
    if (Math.floor(taken / bit) % 2 === 1) continue;
    const pair = pairOf(state, chosen.length, position);
    if (isFailure(pair)) {
      remember(state, chosen.length, pair);
      continue;
    }
    const found = extend(state, [...chosen, pair], taken + bit);
    if (found !== null || state.isExhausted) return found;
  }
  return null;
}

/** Checks each pair of cells once. */
function pairOf(state: Search, at: number, position: number): FittedNumaCell | NumaFailure {
  const key = at * NUMA_CELLS_MAX + position;
  const known = state.pairs.get(key);
  if (known !== undefined) return known;
  const [instanceCell, cell] = [state.requestedTopology.cells[at], state.ordered[position]];
  assert(instanceCell !== undefined && cell !== undefined, 'a pair is of two cells there are');
  const { cpuAllocationRatio, ramAllocationRatio } = state.host;
  const emulatorCpu = at === 0 && state.requestedTopology.emulatorThreadsIsolated;
  const answer = fitCell(cell, instanceCell, { at, emulatorCpu, cpuAllocationRatio, ramAllocationRatio });
  state.pairs.set(key, answer);
  return answer;
}

/** All cells are placed: checks PCI devices and networks. */
function complete(state: Search, cells: readonly FittedNumaCell[]): NumaFit | null {
  const ids = cells.map(({ hostCell }) => hostCell);
  const pci = pciClaims(state, ids);
  if (isFailure(pci)) {
    remember(state, cells.length, pci);
    return null;
  }
  const { network } = state.terms;
  const missing = network === null ? null : missingNetwork(state.host.topology, ids, network);
  if (missing !== null) {
    remember(state, cells.length, { code: 'network_affinity', params: { ...missing, cells: ids.map(String) } });
    return null;
  }
  return { fits: true, fitted: { cells }, pciClaims: pci };
}

function pciClaims({ terms, host }: Search, cells: readonly number[]): readonly PciClaim[] | NumaFailure {
  const { pciRequests, mappings } = terms;
  if (pciRequests.length === 0) return [];
  const fit = fitPci(host.pciPools ?? [], pciRequests, { cells, topology: host.topology, mappings });
  if (fit.fits) return fit.claims;
  const { request, free } = fit.failure;
  return {
    code: 'pci_devices',
    params: {
      cells: cells.map(String),
      request: nameOfRequest(fit.failure),
      policy: request.numaPolicy ?? 'legacy',
      asked: request.count,
      free,
    },
  };
}

/** Keeps the most advanced failure: most placed cells, then the latest rule, then the first of its kind. */
function remember(state: Search, depth: number, failure: NumaFailure): void {
  const before = state.deepest;
  const isDeeper =
    before === null ||
    depth > before.depth ||
    (depth === before.depth && failureRank(failure) > failureRank(before.failure));
  if (isDeeper) state.deepest = { depth, failure };
}
