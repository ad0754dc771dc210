// PCI requests of a flavor: `pci_passthrough:alias = name:count[,name:count]`, with aliases of the configuration.

import { extraSpec, extraSpecField } from '../numa/cpu-policy';
import type { PciAliases } from '../pci/alias';
import { PCI_NUMA_POLICIES } from '../pci/alias';
import type { PciNumaPolicy, PciRequest } from '../request-spec/pci-pool';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';
import { agreedValue } from './flavor-image';

const ALIAS_KEY = 'pci_passthrough:alias';

/** Maximum devices of one request; no host has more. */
export const PCI_DEVICES_MAX = 1_000;

/** One request per part of the extra spec, in order. The NUMA policy of flavor or image overrides that of the alias. */
export function derivePciRequests(flavor: Flavor, image: Image | null, aliases: PciAliases): readonly PciRequest[] {
  const text = extraSpec(flavor, ALIAS_KEY);
  if (text === null) return [];
  const policy = pciNumaPolicy(flavor, image);
  return text.split(',').map((part) => {
    const { name, count } = parsePart(part);
    const alias = aliases.get(name);
    if (alias === undefined)
      throw invalid(extraSpecField(ALIAS_KEY), `names the alias '${name}', which [pci] alias does not have`);
    const { alternatives, numaPolicy } = alias;
    return { requestId: null, aliasName: name, count, alternatives, numaPolicy: policy ?? numaPolicy };
  });
}

function parsePart(part: string): { readonly name: string; readonly count: number } {
  const [, name = '', digits = ''] = /^\s*([^:]*?)\s*:\s*(\d+)\s*$/.exec(part) ?? [];
  const count = Number(digits);
  if (name === '' || digits === '' || count < 1 || count > PCI_DEVICES_MAX) {
    const why = `must be name:count[,name:count] with counts from 1 to ${PCI_DEVICES_MAX}, not '${part.trim()}'`;
    throw invalid(extraSpecField(ALIAS_KEY), why);
  }
  return { name, count };
}

/** The NUMA policy for all PCI requests of the flavor; null if not set. Flavor and image must agree. */
export const pciNumaPolicy = (flavor: Flavor, image: Image | null): PciNumaPolicy | null =>
  agreedValue({ flavor, image }, 'hw:pci_numa_affinity_policy', PCI_NUMA_POLICIES);
