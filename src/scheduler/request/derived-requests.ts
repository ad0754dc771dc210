// What an instance asks of NUMA cells and PCI devices: derived from flavor and image, or given as a document.

import { deriveNumaTopology } from '../numa/derive-topology';
import type { InstanceNumaTopology } from '../numa/numa-topology';
import { readInstanceTopology } from '../numa/request-topology-document';
import type { PciAliases } from '../pci/alias';
import { derivePciRequests, pciNumaPolicy } from '../pci/derive-requests';
import type { PciRequest } from '../pci/pci-pool';
import { readPciRequests } from '../pci/pool-document';
import type { FlavorAndImage } from './flavor-image';
import type { RequestBody } from './request-body';

/** An absent document is derived; null asks for nothing. */
const isDerived = (value: unknown): boolean => value === undefined || value === 'auto';

export function numaTopologyOf(
  { numa_topology: given }: RequestBody,
  { flavor, image }: FlavorAndImage,
): InstanceNumaTopology | null {
  return isDerived(given) ? deriveNumaTopology(flavor, image) : readInstanceTopology(given);
}

export function pciRequestsOf(
  { pci_requests: given }: RequestBody,
  { flavor, image }: FlavorAndImage,
  aliases: PciAliases,
): readonly PciRequest[] {
  if (isDerived(given)) return derivePciRequests(flavor, image, aliases);
  return readPciRequests(given, { aliases, numaPolicy: pciNumaPolicy(flavor, image) });
}
