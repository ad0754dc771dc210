// PciPassthroughFilter: enough free PCI devices of the requested kinds. If Placement chose the devices' providers, each
// candidate is checked with its own choice. The NUMA filter checks the affinity.

import type { Candidate, RejectionParams } from '../../placement/candidate-search';
import type { HostState } from '../host-state/host-state';
import type { PciFit } from '../pci/fit';
import { fitPci, nameOfRequest, providersOfRequest } from '../pci/fit';
import { defineFilter } from '../pipeline/define-filter';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import type { RequestSpec } from '../request-spec/request-spec';

export const pciPassthroughFilter = defineFilter({
  name: 'PciPassthroughFilter',
  summary: 'Rejects hosts without enough free PCI devices of the kinds the request asks for.',
  rejections: {
    no_pci_data: 'host reports no PCI devices; the request asks for {asked}',
    no_candidates: 'host has {candidates} allocation candidates; a request for PCI devices is judged by at least one',
    too_few_devices:
      'host has {free} free devices left for the PCI request {request} (of {matching} that match it); it asks for {asked} ' +
      'with {wanted}; pools of the host: {pools}',
  },
  reads: [
    'pci_requests',
    'flavor.extra_specs.pci_passthrough:alias',
    'flavor.extra_specs.hw:pci_numa_affinity_policy',
    'image.properties.hw_pci_numa_affinity_policy',
  ],
  applies: ({ pciRequests }) => pciRequests.length > 0,
  check: (host, spec, { passWith, reject }) => {
    if (host.pciPools === null) return reject('no_pci_data', { asked: devicesAsked(spec) });
    if (host.candidates.length === 0) return reject('no_candidates', { candidates: 0 });
    const { kept, failure } = judgeCandidates(host, spec);
    if (kept.length > 0) return passWith(kept.length < host.candidates.length ? { candidates: kept } : {});
    return reject('too_few_devices', failure ?? {});
  },
});

/** Candidates that do not choose devices share one result. */
function judgeCandidates(
  host: HostState,
  { pciRequests }: RequestSpec,
): { readonly kept: readonly Candidate[]; readonly failure: RejectionParams | null } {
  const fitOf = (mappings: Candidate['mappings']): PciFit =>
    fitPci(host.pciPools ?? [], pciRequests, { cells: null, topology: null, mappings });
  let shared: PciFit | null = null;
  let failure: RejectionParams | null = null;
  const kept = host.candidates.filter(({ mappings }) => {
    const chooses = pciRequests.some((request) => providersOfRequest(request, mappings).size > 0);
    const fit = chooses ? fitOf(mappings) : (shared ??= fitOf({}));
    if (!fit.fits) failure ??= paramsOf(fit, host.pciPools ?? []);
    return fit.fits;
  });
  return { kept, failure };
}

function paramsOf({ failure }: PciFit & { readonly fits: false }, pools: readonly PciPool[]): RejectionParams {
  const { request, matching, free } = failure;
  return {
    request: nameOfRequest(failure),
    asked: request.count,
    matching,
    free,
    wanted: request.alternatives.map(wantedText).join(' or '),
    pools: poolsText(pools),
  };
}

/** For example `vendor_id 10de, product_id 1eb8, dev_type type-PF`. */
const wantedText = (properties: PciRequest['alternatives'][number]): string =>
  Object.entries(properties)
    .map(([name, value]) => (value === null ? `no ${name}` : `${name} ${value}`))
    .join(', ');

/** Pools in the text. */
const POOLS_SHOWN = 3;

function poolsText(pools: readonly PciPool[]): string {
  if (pools.length === 0) return 'none';
  const shown = pools
    .slice(0, POOLS_SHOWN)
    .map(({ vendorId, productId, devType, count }) => `${vendorId}:${productId} ${devType} with ${count} free`);
  return `${shown.join(', ')}${pools.length > POOLS_SHOWN ? ` and ${pools.length - POOLS_SHOWN} more` : ''}`;
}

const devicesAsked = ({ pciRequests }: RequestSpec): number => pciRequests.reduce((sum, { count }) => sum + count, 0);
