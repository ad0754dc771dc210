// The filters of the page as the address and the report have them: both use the same names, so that a link made by the
// service leads here as it is.
import type { Address } from '../../address/use-address';
import type { HostStatus, HostsQuery } from '../../service/reports';

export const STATUSES: readonly HostStatus[] = ['up', 'disabled', 'down', 'silent', 'unreported', 'sharing'];

/** Filters with one value, and those that may have several. */
const SINGLE = ['name', 'host_aggregate', 'placement_aggregate', 'resource_class', 'flavor'] as const;
const SEVERAL = ['status', 'trait', 'availability_zone'] as const;

type SingleFilter = (typeof SINGLE)[number];
export type HostFilters = Readonly<Record<SingleFilter, string>> &
  Readonly<Record<(typeof SEVERAL)[number], readonly string[]>>;

export function filtersOf({ get, all }: Pick<Address, 'get' | 'all'>): HostFilters {
  return {
    name: get('name').trim(),
    host_aggregate: get('host_aggregate'),
    placement_aggregate: get('placement_aggregate'),
    resource_class: get('resource_class'),
    flavor: get('flavor'),
    status: all('status'),
    trait: all('trait'),
    // At most one, and '' asks for hosts in none: a value that is there and empty.
    availability_zone: all('availability_zone').slice(0, 1),
  };
}

/** What the report is asked; what is not filtered by is left out. */
export function hostsQueryOf(filters: HostFilters): HostsQuery {
  const single = Object.fromEntries(SINGLE.map((name) => [name, filters[name] === '' ? undefined : filters[name]]));
  return {
    ...single,
    trait: filters.trait,
    // The service judges what stands in an address.
    status: filters.status as readonly HostStatus[],
    availability_zone: filters.availability_zone[0],
  };
}

export const isFiltered = (filters: HostFilters): boolean =>
  SINGLE.some((name) => filters[name] !== '') || SEVERAL.some((name) => filters[name].length > 0);

/** What `Address.set` takes to show all hosts again. */
export const WITHOUT_FILTERS: Readonly<Record<string, undefined>> = Object.fromEntries(
  [...SINGLE, ...SEVERAL].map((name) => [name, undefined]),
);

export const DEFAULT_CLASSES: readonly string[] = ['VCPU', 'MEMORY_MB', 'DISK_GB'];
