// Lists the parts of a request that do not affect the decision. Every condition of flavor, image or request is either
// honoured by the resource request or an enabled part, or listed here.

import { extraSpecField } from '../numa/cpu-policy';
import type { IgnoredField, RequestSpec } from '../request-spec/request-spec';
import { fieldsOfShares } from './derive-cells';

/** Paths of request fields that the enabled parts read; a trailing `*` covers every name with that prefix. */
export type ReadFields = ReadonlySet<string>;

/** Hints that the scheduler itself reads. */
const OWN_HINTS: ReadonlySet<string> = new Set(['group', '_nova_check_type']);

/** Extra specs for filters only. Keys without a scope are too, except `group_policy`. */
const FILTER_SCOPES = ['capabilities:', 'aggregate_instance_extra_specs:'];

/** Fields and hints that no enabled part reads. */
export function fieldsWithoutEffect(spec: RequestSpec, reads: ReadFields): IgnoredField[] {
  const fields = [
    ...Object.keys(spec.schedulerHints)
      .filter((name) => !OWN_HINTS.has(name))
      .map((name) => `scheduler_hints.${name}`),
    ...Object.keys(spec.flavor.extraSpecs).filter(isForFilters).map(extraSpecField),
    ...(spec.retry === null ? [] : ['retry']),
    ...(spec.numaTopology === null ? [] : ['numa_topology']),
    ...(spec.pciRequests.length === 0 ? [] : ['pci_requests']),
    ...(spec.networkMetadata === null ? [] : ['network_metadata']),
  ];
  const unread = fields.filter((field) => !isRead(reads, field));
  const shares = spec.numaTopology === null ? fieldsOfShares(spec.flavor, spec.image) : [];
  return [
    ...unread.map((field) => ({ field, why: 'no enabled filter, weigher or prefilter reads it' })),
    ...shares.map((field) => ({ field, why: WITHOUT_CELLS })),
  ];
}

/** Why explicit NUMA cells have no effect. */
export const WITHOUT_CELLS = 'no NUMA cells are asked for; hw:numa_nodes asks for them';

function isForFilters(key: string): boolean {
  if (!key.includes(':')) return key !== 'group_policy';
  return FILTER_SCOPES.some((scope) => key.startsWith(scope));
}

/** True if an enabled part reads the field. */
export function isRead(reads: ReadFields, field: string): boolean {
  if (reads.has(field)) return true;
  for (const pattern of reads) {
    if (pattern.endsWith('*') && field.startsWith(pattern.slice(0, -1))) return true;
  }
  return false;
}
