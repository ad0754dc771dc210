// What an instance takes of the NUMA cells and PCI devices of its host, decided once and kept as data: charged when the
// instance is placed, charged again on a fresh report that does not list it yet, given back when it leaves.

import type { HostState } from '../host-state/host-state';
import { chargePciPools, releasePciPools } from '../pci/charge';
import { fitPci } from '../pci/fit';
import type { PciClaim } from '../pci/fit';
import type { RequestSpec } from '../request/request-spec';
import { chargeTopology, releaseTopology } from './charge';
import { fitNumaTopology } from './fit';
import type { FittedNumaTopology } from './fitted-topology';
import type { InstanceNumaTopology, NumaLimits } from './numa-topology';

/** Plain data; written and read as JSON where a placement is kept. */
export interface NumaPciPlacement {
  readonly numa: FittedNumaTopology | null;
  readonly pci: readonly PciClaim[];
}

export const EMPTY_PLACEMENT: NumaPciPlacement = Object.freeze({ numa: null, pci: Object.freeze([]) });

interface PlacementTerms {
  /** Those of the candidate that was claimed. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
  /** `[compute] packing_host_numa_cells_allocation_strategy`. */
  readonly packing: boolean;
}

type Asking = Pick<RequestSpec, 'numaTopology' | 'pciRequests'>;
type Charged = Pick<HostState, 'numaTopology' | 'pciPools'>;
type Host = Charged & Pick<HostState, 'limits'>;

/** On a host that NUMATopologyFilter did not judge. */
const NO_LIMITS: NumaLimits = { cpuAllocationRatio: Infinity, ramAllocationRatio: Infinity };

/**
 * What the instance takes on this host, by the limits that NUMATopologyFilter left. If its NUMA cells do not fit, which
 * only a host without these limits can have, it takes its devices on any cell, as PciPassthroughFilter judged them. Null:
 * nothing fits, and nothing is charged.
 */
export function placeInstance(host: Host, spec: Asking, terms: PlacementTerms): NumaPciPlacement | null {
  const { numaTopology, pciRequests } = spec;
  if (numaTopology === null && pciRequests.length === 0) return EMPTY_PLACEMENT;
  const { mappings, packing } = terms;
  if (numaTopology !== null && host.numaTopology !== null) {
    const { network = null, ...ratios } = host.limits.numa ?? NO_LIMITS;
    const fit = fitNumaTopology(
      numaTopology,
      { ...ratios, topology: host.numaTopology, pciPools: host.pciPools },
      { packing, pciRequests, mappings, network },
    );
    if (fit.fits) return { numa: fit.fitted, pci: fit.pciClaims };
  }
  if (pciRequests.length === 0) return null;
  const fit = fitPci(host.pciPools ?? [], pciRequests, { cells: null, topology: null, mappings });
  return fit.fits ? { numa: null, pci: fit.claims } : null;
}

/** The host's NUMA cells and PCI pools after the instance came. */
export function chargeInstance(host: Charged, { numa, pci }: NumaPciPlacement): Charged {
  return {
    numaTopology:
      host.numaTopology === null || numa === null ? host.numaTopology : chargeTopology(host.numaTopology, numa),
    pciPools: host.pciPools === null ? null : chargePciPools(host.pciPools, pci),
  };
}

/** And after it left. Law: charging and releasing leaves both as they were. */
export function releaseInstance(host: Charged, { numa, pci }: NumaPciPlacement): Charged {
  return {
    numaTopology:
      host.numaTopology === null || numa === null ? host.numaTopology : releaseTopology(host.numaTopology, numa),
    pciPools: host.pciPools === null ? null : releasePciPools(host.pciPools, pci),
  };
}

/**
 * What the next member of a batch asks for. Every member keeps the request's own cells; as nova does it, the first
 * one's page sizes replace what was asked, and a member that did not fit leaves nothing to ask for the others.
 */
export function topologyOfNextMember(
  asked: InstanceNumaTopology | null,
  placement: NumaPciPlacement | null,
  { novaCompat }: { readonly novaCompat: boolean },
): InstanceNumaTopology | null {
  if (!novaCompat || asked === null) return asked;
  const fitted = placement?.numa ?? null;
  if (fitted === null) return null;
  return {
    ...asked,
    cells: asked.cells.map((cell, at) => ({ ...cell, pageSize: fitted.cells[at]?.pageSizeKb ?? cell.pageSize })),
  };
}
