// An instance's NUMA cells and PCI devices on its host, decided once and stored. They are charged at the placement,
// charged again on a new report that does not list the instance yet, and released with the instance.

import { chargeTopology, releaseTopology } from '../numa/charge';
import { fitNumaTopology } from '../numa/fit';
import type { FittedNumaTopology } from '../numa/fitted-topology';
import { chargePciPools, releasePciPools } from '../pci/charge';
import type { PciClaim } from '../pci/fit';
import { fitPci } from '../pci/fit';
import type { InstanceNumaTopology, NumaLimits } from '../request-spec/numa-topology';
import type { RequestSpec } from '../request-spec/request-spec';
import type { HostState } from './host-state';

/** Plain data, stored as JSON with a placement. */
export interface NumaPciPlacement {
  readonly numa: FittedNumaTopology | null;
  readonly pci: readonly PciClaim[];
}

export const EMPTY_PLACEMENT: NumaPciPlacement = Object.freeze({ numa: null, pci: Object.freeze([]) });

interface PlacementTerms {
  /** The mappings of the claimed candidate. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
  /** `[compute] packing_host_numa_cells_allocation_strategy`. */
  readonly packing: boolean;
}

type Asking = Pick<RequestSpec, 'numaTopology' | 'pciRequests'>;
type Charged = Pick<HostState, 'numaTopology' | 'pciPools'>;
type Host = Charged & Pick<HostState, 'limits'>;

/** For a host that NUMATopologyFilter did not check. */
const NO_LIMITS: NumaLimits = { cpuAllocationRatio: Infinity, ramAllocationRatio: Infinity };

/**
 * The instance's placement on this host, within the limits that NUMATopologyFilter left. If its NUMA cells do not fit,
 * which happens only on a host without these limits, it takes devices on any cell, as PciPassthroughFilter checked
 * them.
 * Null if neither fits; then the host is not charged.
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

/** The host's NUMA cells and PCI pools with the instance. */
export function chargeInstance(host: Charged, { numa, pci }: NumaPciPlacement): Charged {
  return {
    numaTopology:
      host.numaTopology === null || numa === null ? host.numaTopology : chargeTopology(host.numaTopology, numa),
    pciPools: host.pciPools === null ? null : chargePciPools(host.pciPools, pci),
  };
}

/** The host without the instance. Law: charging and then releasing restores both. */
export function releaseInstance(host: Charged, { numa, pci }: NumaPciPlacement): Charged {
  return {
    numaTopology:
      host.numaTopology === null || numa === null ? host.numaTopology : releaseTopology(host.numaTopology, numa),
    pciPools: host.pciPools === null ? null : releasePciPools(host.pciPools, pci),
  };
}

/**
 * The topology request for the next member of a batch. Every member keeps the original cells. With `nova_compat` the
 * first member's page sizes replace the requested ones, and after a member that did not fit no topology is requested.
 */
export function topologyOfNextMember(
  requestedTopology: InstanceNumaTopology | null,
  placement: NumaPciPlacement | null,
  { novaCompat }: { readonly novaCompat: boolean },
): InstanceNumaTopology | null {
  if (!novaCompat || requestedTopology === null) return requestedTopology;
  const fitted = placement?.numa ?? null;
  if (fitted === null) return null;
  return {
    ...requestedTopology,
    cells: requestedTopology.cells.map((cell, at) => ({
      ...cell,
      pageSize: fitted.cells[at]?.pageSizeKb ?? cell.pageSize,
    })),
  };
}
