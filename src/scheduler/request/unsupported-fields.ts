// What a request may say that this scheduler does not do. One table; a row is lifted by any enabled filter, weigher or
// prefilter that declares to read the field. Refusing by name is the law here: nothing that would have changed the
// decision is ever ignored in silence.

import { unsupported } from './request-refusal';
import type { IgnoredField, RequestBody, RequestSpec } from './request-spec';

/** Paths of request fields that the enabled parts read; a trailing `*` covers every name with that prefix. */
export type ReadFields = ReadonlySet<string>;

/** A name (a trailing `*` makes it a prefix) and the values that ask for nothing. */
interface UnsupportedName {
  readonly name: string;
  readonly harmless?: readonly string[];
}

const FALSE = ['false', '0', 'no', 'off', ''];

const EXTRA_SPECS: readonly UnsupportedName[] = [
  { name: 'hw:cpu_policy', harmless: ['shared'] },
  { name: 'hw:cpu_thread_policy', harmless: ['prefer'] },
  { name: 'hw:emulator_threads_policy' },
  { name: 'hw:cpu_dedicated_mask' },
  { name: 'hw:cpu_realtime', harmless: FALSE },
  { name: 'hw:cpu_realtime_mask' },
  { name: 'hw:numa_*' },
  { name: 'hw:mem_page_size' },
  { name: 'hw:mem_encryption', harmless: FALSE },
  { name: 'hw:mem_encryption_model' },
  { name: 'hw:pmem', harmless: [''] },
  { name: 'hw:tpm_*' },
  { name: 'hw:pci_numa_affinity_policy' },
  { name: 'hw:maxphysaddr_*' },
  { name: 'hw:virtio_packed_ring', harmless: FALSE },
  { name: 'hw:ephemeral_encryption', harmless: FALSE },
  { name: 'hw:ephemeral_encryption_format' },
  { name: 'hw:sound_model' },
  { name: 'os:secure_boot', harmless: ['optional', 'disabled'] },
  { name: 'accel:device_profile', harmless: [''] },
  { name: 'pci_passthrough:*' },
  { name: 'capabilities:*' },
  { name: 'aggregate_instance_extra_specs:*' },
];

const IMAGE_PROPERTIES: readonly UnsupportedName[] = [
  { name: 'hw_cpu_policy', harmless: ['shared'] },
  { name: 'hw_cpu_thread_policy', harmless: ['prefer'] },
  { name: 'hw_emulator_threads_policy' },
  { name: 'hw_cpu_realtime_mask' },
  { name: 'hw_numa_*' },
  { name: 'hw_mem_page_size' },
  { name: 'hw_mem_encryption', harmless: FALSE },
  { name: 'hw_mem_encryption_model' },
  { name: 'hw_tpm_*' },
  { name: 'hw_pci_numa_affinity_policy' },
  { name: 'hw_maxphysaddr_*' },
  { name: 'hw_virtio_packed_ring', harmless: FALSE },
  { name: 'hw_ephemeral_encryption', harmless: FALSE },
  { name: 'hw_ephemeral_encryption_format' },
  { name: 'hw_sound_model' },
  { name: 'hw_firmware_stateless', harmless: FALSE },
  { name: 'os_secure_boot', harmless: ['optional', 'disabled'] },
  { name: 'hw_architecture' },
  { name: 'architecture' },
  { name: 'img_hv_type' },
  { name: 'hypervisor_type' },
  { name: 'img_hv_requested_version' },
  { name: 'hypervisor_version_requires' },
  { name: 'hw_vm_mode' },
  { name: 'vm_mode' },
];

const HINTS: readonly UnsupportedName[] = [
  { name: 'group' },
  { name: 'same_host' },
  { name: 'different_host' },
  { name: 'query' },
  { name: 'build_near_host_ip' },
  { name: 'cidr' },
  { name: '_nova_check_type' },
];

/** Top-level fields that are known and not honoured. A value that asks for nothing is accepted. */
const FIELDS = [
  'availability_zone',
  'force_hosts',
  'force_nodes',
  'requested_destination',
  'instance_group',
  'requested_resources',
  'requested_networks',
  'network_metadata',
  'numa_topology',
  'pci_requests',
  'retry',
] as const satisfies readonly (keyof RequestBody)[];

/** `auto` derives a NUMA or PCI request from the flavor, whose keys are refused on their own. */
const DERIVED: ReadonlySet<string> = new Set(['numa_topology', 'pci_requests']);

/** Throws for the first field that would need what is not there; returns what is accepted without an effect. */
export function refuseUnsupportedFields(body: RequestBody, spec: RequestSpec, reads: ReadFields): IgnoredField[] {
  for (const field of FIELDS) {
    const value = body[field];
    if (asksForNothing(value) || (DERIVED.has(field) && value === 'auto') || isRead(reads, field)) continue;
    throw unsupported(field, 'is not supported yet');
  }
  refuseNames('flavor.extra_specs', EXTRA_SPECS, spec.flavor.extraSpecs, reads);
  refuseNames('image.properties', IMAGE_PROPERTIES, spec.image?.properties ?? {}, reads);
  const nonEmpty = Object.entries(spec.schedulerHints).filter(([, values]) => values.length > 0);
  refuseNames('scheduler_hints', HINTS, Object.fromEntries(nonEmpty.map(([k, v]) => [k, v.join(',')])), reads);
  return ignoredFields(spec, reads);
}

function refuseNames(
  path: string,
  rows: readonly UnsupportedName[],
  values: Readonly<Record<string, string>>,
  reads: ReadFields,
): void {
  for (const [name, value] of Object.entries(values)) {
    const row = rows.find((candidate) => matches(candidate.name, name));
    if (row === undefined || row.harmless?.includes(value.toLowerCase()) === true) continue;
    const field = `${path}.${name}`;
    if (!isRead(reads, field)) throw unsupported(field, `'${value}' is not supported yet`);
  }
}

/** Hints and un-scoped extra specs exist for filters; where no enabled part reads one, the decision says so. */
function ignoredFields(spec: RequestSpec, reads: ReadFields): IgnoredField[] {
  const fields = [
    ...Object.keys(spec.schedulerHints).map((name) => `scheduler_hints.${name}`),
    ...Object.keys(spec.flavor.extraSpecs)
      .filter((key) => !key.includes(':') && key !== 'group_policy')
      .map((key) => `flavor.extra_specs.${key}`),
  ];
  return fields
    .filter((field) => !isRead(reads, field))
    .map((field) => ({ field, why: 'no enabled filter, weigher or prefilter reads it' }));
}

function asksForNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function isRead(reads: ReadFields, field: string): boolean {
  if (reads.has(field)) return true;
  for (const pattern of reads) if (matches(pattern, field)) return true;
  return false;
}
