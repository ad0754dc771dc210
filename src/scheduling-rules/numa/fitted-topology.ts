// The fitted NUMA cells of an instance: the host cell of each, and its resources there. Plain data, so a placement can
// be stored, charged and released later.

import type { RejectionParam } from '../../placement/candidate-search';
export interface FittedNumaCell {
  /** The position of the instance's cell in the request. */
  readonly instanceCell: number;
  /** Id of the host cell. */
  readonly hostCell: number;
  readonly sharedCpus: number;
  /** One host CPU for each dedicated vCPU, in the order of the vCPUs. */
  readonly pinnedCpus: readonly number[];
  /**
   * Host CPUs reserved for the instance: pinned CPUs, the emulator's, and with `isolate` all threads of their cores.
   */
  readonly heldCpus: readonly number[];
  readonly memoryMb: number;
  /** The assigned page size; null if none was requested. */
  readonly pageSizeKb: number | null;
}

export interface FittedNumaTopology {
  readonly cells: readonly FittedNumaCell[];
}

/**
 * Why an instance does not fit, as a code with the parameters that reproduce the verdict. Ordered by the progress of
 * the check: a later failure is more informative.
 */
export const NUMA_FAILURES = {
  too_few_cells: 'host has {cells} NUMA cells; the instance asks for {asked}',
  too_many_cells: 'host has {cells} NUMA cells; more than {limit} are not searched',
  too_many_assignments:
    'gave up after {tried} ways to put the instance on the NUMA cells of the host; the limit is {limit}',
  page_size_missing: 'NUMA cell {cell} has no pages of the size asked for ({page_size}); it has {sizes} KiB',
  page_multiple: '{asked} MiB of instance cell {instance_cell} are no whole number of pages of {size_kb} KiB',
  too_few_pages: 'NUMA cell {cell} has {available} pages of {size_kb} KiB; instance cell {instance_cell} needs {asked}',
  cell_memory: 'NUMA cell {cell} has {available} MiB; instance cell {instance_cell} asks for {asked} MiB',
  dedicated_total: 'NUMA cell {cell} has {total} dedicated CPUs; instance cell {instance_cell} asks for {asked}',
  shared_total: 'NUMA cell {cell} has {total} shared CPUs; instance cell {instance_cell} asks for {asked}',
  dedicated_free: 'NUMA cell {cell} has {free} free dedicated CPUs; instance cell {instance_cell} asks for {asked}',
  isolate_two_sets:
    "NUMA cell {cell} has threads and {common} CPUs in common of {shared} shared and {dedicated} dedicated ones; the thread policy 'isolate' needs them to be the same",
  thread_policy:
    "NUMA cell {cell} has room for {packable} CPUs under the thread policy '{policy}'; instance cell {instance_cell} asks for {asked}",
  emulator_core:
    "NUMA cell {cell} has free threads on {cores} cores; instance cell {instance_cell} needs {asked}: one for each vCPU and one for the emulator's threads",
  no_dedicated_cpus: 'instance cell {instance_cell} has {dedicated} dedicated CPUs; {wish} needs one at least',
  cpu_limit:
    'NUMA cell {cell} allows {limit} shared vCPUs and runs {used}; instance cell {instance_cell} asks for {asked} more',
  memory_limit:
    'NUMA cell {cell} allows {limit} MiB and uses {used}; instance cell {instance_cell} asks for {asked} more',
  pinned_memory:
    'NUMA cell {cell} has {available} MiB unused; pinned instance cell {instance_cell} asks for {asked} MiB',
  pci_devices:
    'the NUMA cells {cells} have {free} devices for the PCI request {request} ({policy}); it asks for {asked}',
  network_affinity: 'the network {network} is attached to the NUMA cells {attached} of the host, not to {cells}',
} as const;

type NumaFailureCode = keyof typeof NUMA_FAILURES;

export interface NumaFailure {
  readonly code: NumaFailureCode;
  readonly params: Readonly<Record<string, RejectionParam>>;
}

const RANK = new Map(Object.keys(NUMA_FAILURES).map((code, at) => [code, at]));

/** The progress of the check at this failure. */
export const failureRank = ({ code }: NumaFailure): number => RANK.get(code) ?? 0;

export const isFailure = (answer: object): answer is NumaFailure => 'code' in answer;
