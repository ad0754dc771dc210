// `[pci] alias`: names for kinds of PCI devices in flavors. Every text is a JSON object; texts with the same name are
// alternatives. Parsed once, with the configuration.

import { isJsonObject } from '../../platform/values/json-object';
import { InvalidOption } from '../../platform/values/options';
import { booleanOf } from '../request-spec/boolean-text';
import type { PciDeviceType, PciNumaPolicy } from '../request-spec/pci-pool';

export const PCI_DEVICE_TYPES: readonly PciDeviceType[] = ['type-PCI', 'type-PF', 'type-VF', 'type-VDPA'];
export const PCI_NUMA_POLICIES: readonly PciNumaPolicy[] = ['required', 'socket', 'legacy', 'preferred'];

interface PciAlias {
  readonly name: string;
  readonly numaPolicy: PciNumaPolicy | null;
  /** Required properties of a device, one set per alternative. */
  readonly alternatives: readonly Readonly<Record<string, string>>[];
}

export type PciAliases = ReadonlyMap<string, PciAlias>;

const ID = /^[\da-f]{4}$/i;
const NAME_MAX = 256;

interface Entry {
  readonly name: string;
  readonly numaPolicy: PciNumaPolicy | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** The aliases by name. Throws for an invalid text, or one that contradicts another of its name, with its position. */
export function parsePciAliases(
  texts: readonly string[],
  { inPlacement }: { readonly inPlacement: boolean },
): PciAliases {
  const aliases = new Map<string, PciAlias>();
  for (const [at, text] of texts.entries()) {
    const { name, numaPolicy, properties } = parseEntry(text, `[pci] alias: entry ${at + 1}`);
    refuseUnidentified({ name, numaPolicy, properties }, at, inPlacement);
    const before = aliases.get(name);
    if (before !== undefined) refuseContradiction(before, { name, numaPolicy, properties }, { at, inPlacement });
    aliases.set(name, { name, numaPolicy, alternatives: [...(before?.alternatives ?? []), properties] });
  }
  return aliases;
}

/** An alias without ids would match any device; a resource class identifies devices only in Placement. */
function refuseUnidentified({ name, properties }: Entry, at: number, inPlacement: boolean): void {
  if (properties['vendor_id'] !== undefined && properties['product_id'] !== undefined) return;
  const hasClass = properties['resource_class'] !== undefined;
  if (hasClass && inPlacement) return;
  const otherwise = inPlacement
    ? ', or resource_class'
    : hasClass
      ? ', unless [filter_scheduler] pci_in_placement is true'
      : '';
  throw new InvalidOption(`[pci] alias: entry ${at + 1}: '${name}' needs vendor_id and product_id${otherwise}`);
}

function refuseContradiction(
  before: PciAlias,
  { name, numaPolicy, properties }: Entry,
  { at, inPlacement }: { readonly at: number; readonly inPlacement: boolean },
): void {
  const where = `[pci] alias: entry ${at + 1}`;
  if (inPlacement) {
    const why = 'is named by an entry before; with [filter_scheduler] pci_in_placement a name has one entry';
    throw new InvalidOption(`${where}: '${name}' ${why}`);
  }
  if ((before.numaPolicy ?? 'legacy') !== (numaPolicy ?? 'legacy')) {
    throw new InvalidOption(`${where}: '${name}' has another numa_policy in an entry before`);
  }
  if (before.alternatives[0]?.['dev_type'] !== properties['dev_type']) {
    throw new InvalidOption(`${where}: '${name}' has another device_type in an entry before`);
  }
}

/** The rule for each key's value, and the device property it becomes; keys without a property are read elsewhere. */
const KEYS: Readonly<
  Record<string, { readonly rule: string; readonly holds: (value: string) => boolean; readonly as?: string }>
> = {
  name: { rule: `a name of 1 to ${NAME_MAX} characters`, holds: (value) => value !== '' && value.length <= NAME_MAX },
  capability_type: { rule: "'pci'", holds: (value) => value === 'pci' },
  vendor_id: { rule: 'four hexadecimal digits', holds: (value) => ID.test(value), as: 'vendor_id' },
  product_id: { rule: 'four hexadecimal digits', holds: (value) => ID.test(value), as: 'product_id' },
  device_type: {
    rule: `one of ${PCI_DEVICE_TYPES.join(', ')}`,
    holds: (value) => (PCI_DEVICE_TYPES as readonly string[]).includes(value),
    as: 'dev_type',
  },
  numa_policy: {
    rule: `one of ${PCI_NUMA_POLICIES.join(', ')}`,
    holds: (value) => (PCI_NUMA_POLICIES as readonly string[]).includes(value),
  },
  resource_class: { rule: 'the name of a resource class', holds: (value) => value !== '', as: 'resource_class' },
  traits: { rule: 'names of traits', holds: () => true, as: 'traits' },
  live_migratable: { rule: 'yes or no', holds: (value) => booleanOf(value) !== null, as: 'live_migratable' },
};

function parseEntry(text: string, where: string): Entry {
  const values = entriesOf(text, where);
  const properties: Record<string, string> = {};
  for (const [key, value] of values) {
    const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (known === undefined) throw new InvalidOption(`${where}: unknown key '${key}'`);
    if (!known.holds(value)) throw new InvalidOption(`${where}: ${key} must be ${known.rule}, not '${value}'`);
    if (known.as !== undefined) properties[known.as] = key === 'live_migratable' ? String(booleanOf(value)) : value;
  }
  const name = values.get('name');
  if (name === undefined) throw new InvalidOption(`${where}: has no name`);
  return { name, numaPolicy: (values.get('numa_policy') as PciNumaPolicy | undefined) ?? null, properties };
}

function entriesOf(text: string, where: string): ReadonlyMap<string, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new InvalidOption(`${where}: is no JSON`);
  }
  if (!isJsonObject(parsed)) {
    throw new InvalidOption(`${where}: must be a JSON object`);
  }
  return new Map(
    Object.entries(parsed).map(([key, value]: [string, unknown]) => {
      if (typeof value !== 'string') throw new InvalidOption(`${where}: ${key} must be a text`);
      return [key, value.trim()];
    }),
  );
}
