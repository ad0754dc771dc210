// PCI requests of a flavor: `pci_passthrough:alias = name:count[,name:count]`, each name an alias of the configuration.

import { invalid } from '../request/request-refusal';
import type { Flavor, Image } from '../request/request-spec';
import { PCI_NUMA_POLICIES } from './alias';
import type { PciAliases } from './alias';
import type { PciNumaPolicy, PciRequest } from './pci-pool';

const ALIAS_KEY = 'pci_passthrough:alias';
const POLICY_KEY = 'hw:pci_numa_affinity_policy';
const POLICY_PROPERTY = 'hw_pci_numa_affinity_policy';

/** Devices one request may ask for; no host has more. */
export const PCI_DEVICES_MAX = 1_000;

/** One request per part of the extra spec, in order. The alias's NUMA policy goes before that of flavor and image. */
export function derivePciRequests(flavor: Flavor, image: Image | null, aliases: PciAliases): readonly PciRequest[] {
  const text = valueOf(flavor.extraSpecs, ALIAS_KEY);
  if (text === null) return [];
  const policy = pciNumaPolicy(flavor, image);
  return text.split(',').map((part) => {
    const { name, count } = parsePart(part);
    const alias = aliases.get(name);
    if (alias === undefined)
      throw invalid(`flavor.extra_specs.${ALIAS_KEY}`, `there is no alias '${name}' in [pci] alias`);
    const { alternatives, numaPolicy } = alias;
    return { requestId: null, aliasName: name, count, alternatives, numaPolicy: numaPolicy ?? policy };
  });
}

function parsePart(part: string): { readonly name: string; readonly count: number } {
  const [, name = '', digits = ''] = /^\s*([^:]*?)\s*:\s*(\d+)\s*$/.exec(part) ?? [];
  const count = Number(digits);
  if (name === '' || digits === '' || count < 1 || count > PCI_DEVICES_MAX) {
    const why = `must be name:count[,name:count] with counts from 1 to ${PCI_DEVICES_MAX}, not '${part.trim()}'`;
    throw invalid(`flavor.extra_specs.${ALIAS_KEY}`, why);
  }
  return { name, count };
}

/** The NUMA policy flavor and image give to PCI requests without one of their own; null: none. They may not differ. */
export function pciNumaPolicy(flavor: Flavor, image: Image | null): PciNumaPolicy | null {
  const ours = policyOf(valueOf(flavor.extraSpecs, POLICY_KEY), `flavor.extra_specs.${POLICY_KEY}`);
  const theirs = policyOf(valueOf(image?.properties ?? {}, POLICY_PROPERTY), `image.properties.${POLICY_PROPERTY}`);
  if (ours !== null && theirs !== null && ours !== theirs) {
    const why = `'${theirs}' contradicts the flavor, whose ${POLICY_KEY} is '${ours}'`;
    throw invalid(`image.properties.${POLICY_PROPERTY}`, why);
  }
  return ours ?? theirs;
}

function policyOf(text: string | null, field: string): PciNumaPolicy | null {
  if (text === null) return null;
  const known = PCI_NUMA_POLICIES.find((policy) => policy === text);
  if (known === undefined) throw invalid(field, `must be one of ${PCI_NUMA_POLICIES.join(', ')}, not '${text}'`);
  return known;
}

function valueOf(values: Readonly<Record<string, string>>, key: string): string | null {
  const text = Object.hasOwn(values, key) ? (values[key] ?? '').trim() : '';
  return text === '' ? null : text;
}
