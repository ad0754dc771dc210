// NUMATopologyFilter: the instance's NUMA cells must fit on the host's. numa/fit.ts has the fitting rules. This file
// has the rules for missing data, the check of each allocation candidate, and the limits that the compute host checks
// again.

import type { Candidate } from '../../placement/candidate-search';
import { boolean } from '../../platform/values/options';
import type { HostState } from '../host-state/host-state';
import { extraSpec, imageProperty, namedCpuPolicy } from '../numa/cpu-policy';
import type { NumaFit } from '../numa/fit';
import { fitNumaTopology } from '../numa/fit';
import type { NumaFailure } from '../numa/fitted-topology';
import { NUMA_FAILURES } from '../numa/fitted-topology';
import { hasThreads } from '../numa/pin-cpus';
import { providersOfRequest } from '../pci/fit';
import { defineFilter } from '../pipeline/define-filter';
import type { HostNumaTopology, InstanceNumaTopology, NumaLimits } from '../request-spec/numa-topology';
import type { RequestSpec } from '../request-spec/request-spec';

export const NUMA_OPTIONS = {
  packing_host_numa_cells_allocation_strategy: boolean(
    false,
    'Try the fullest NUMA cells of a host first instead of the emptiest.',
    { group: 'compute' },
  ),
} as const;

export const numaTopologyFilter = defineFilter({
  name: 'NUMATopologyFilter',
  summary: "Rejects hosts on whose NUMA cells the instance's cells find no place.",
  options: NUMA_OPTIONS,
  rejections: {
    no_threads: "no core of the host has more threads than {threads}; the thread policy 'require' needs two",
    no_numa_data:
      'host reports no NUMA cells; the instance asks for {asked}. Report numa_topology for the host, or remove the NUMA ' +
      'and CPU policies from flavor and image',
    no_candidates: 'host has {candidates} allocation candidates; a request for NUMA cells is judged by at least one',
    ...NUMA_FAILURES,
  },
  reads: [
    'numa_topology',
    'network_metadata',
    'flavor.extra_specs.hw:numa_nodes',
    'flavor.extra_specs.hw:numa_cpus.*',
    'flavor.extra_specs.hw:numa_mem.*',
    'flavor.extra_specs.hw:mem_page_size',
    'flavor.extra_specs.hw:cpu_policy',
    'flavor.extra_specs.hw:cpu_thread_policy',
    'flavor.extra_specs.hw:emulator_threads_policy',
    'flavor.extra_specs.hw:cpu_dedicated_mask',
    'flavor.extra_specs.hw:cpu_realtime',
    'flavor.extra_specs.hw:cpu_realtime_mask',
    'image.properties.hw_numa_nodes',
    'image.properties.hw_numa_cpus.*',
    'image.properties.hw_numa_mem.*',
    'image.properties.hw_mem_page_size',
    'image.properties.hw_cpu_policy',
    'image.properties.hw_cpu_thread_policy',
    'image.properties.hw_cpu_realtime_mask',
  ],
  applies: (spec) => spec.numaTopology !== null || asksForThreads(spec),
  check: (host, spec, { options, pass, passWith, reject }) => {
    const { numaTopology: topology } = host;
    if (topology !== null && asksForThreads(spec) && !topology.cells.some(hasThreads))
      return reject('no_threads', { threads: 1 });
    if (spec.numaTopology === null) return pass;
    if (topology === null) return reject('no_numa_data', { asked: spec.numaTopology.cells.length });
    if (host.candidates.length === 0) return reject('no_candidates', { candidates: 0 });
    const packing = options.packing_host_numa_cells_allocation_strategy;
    const { kept, failure } = judgeCandidates({ host, topology, requestedTopology: spec.numaTopology, spec, packing });
    if (failure !== null && kept.length === 0) return reject(failure.code, failure.params);
    const limits = { numa: limitsOf(host, spec) };
    return passWith(kept.length < host.candidates.length ? { candidates: kept, limits } : { limits });
  },
});

/** Dedicated CPUs with `require` of flavor or image; as in nova, even if the flavor's `prefer` overrides the image. */
function asksForThreads({ flavor, image }: RequestSpec): boolean {
  const policies = [extraSpec(flavor, 'hw:cpu_thread_policy'), imageProperty(image, 'hw_cpu_thread_policy')];
  return policies.includes('require') && namedCpuPolicy(flavor, image) === 'dedicated';
}

interface Judged {
  readonly host: HostState;
  readonly topology: HostNumaTopology;
  readonly requestedTopology: InstanceNumaTopology;
  readonly spec: RequestSpec;
  readonly packing: boolean;
}

/** Candidates differ only in the PCI devices that Placement chose; those without devices share one result. */
function judgeCandidates({ host, topology, requestedTopology, spec, packing }: Judged): {
  readonly kept: readonly Candidate[];
  readonly failure: NumaFailure | null;
} {
  const { cpuAllocationRatio, ramAllocationRatio, pciPools } = host;
  const { pciRequests, networkMetadata: network } = spec;
  const numaHost = { topology, cpuAllocationRatio, ramAllocationRatio, pciPools };
  const fitOf = (mappings: Candidate['mappings']): NumaFit =>
    fitNumaTopology(requestedTopology, numaHost, { packing, pciRequests, mappings, network });
  let shared: NumaFit | null = null;
  let failure: NumaFailure | null = null;
  const kept = host.candidates.filter(({ mappings }) => {
    const chooses = pciRequests.some((request) => providersOfRequest(request, mappings).size > 0);
    const fit = chooses ? fitOf(mappings) : (shared ??= fitOf({}));
    if (!fit.fits) failure ??= fit.failure;
    return fit.fits;
  });
  return { kept, failure };
}

function limitsOf({ cpuAllocationRatio, ramAllocationRatio }: HostState, { networkMetadata }: RequestSpec): NumaLimits {
  const ratios = { cpuAllocationRatio, ramAllocationRatio };
  return networkMetadata === null ? ratios : { ...ratios, network: networkMetadata };
}
