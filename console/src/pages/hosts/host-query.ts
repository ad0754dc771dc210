// The filters of the page in the address and in the report query. Both use the same names, so links that the service
// creates work here unchanged.
import type { Address } from '../../address/use-address';
import type { HostsQuery, HostStatus } from '../../service/reports';

/** Filters with one value, and filters with several. */
const SINGLE = ['name', 'host_aggregate', 'placement_aggregate', 'resource_class', 'flavor', 'stranded'] as const;
const SEVERAL = ['status', 'trait', 'availability_zone'] as const;

type SingleFilter = (typeof SINGLE)[number];
export type HostFilters = Readonly<Record<SingleFilter, string>> &
  Readonly<Record<(typeof SEVERAL)[number], readonly string[]>>;

export function filtersOf({ get, all }: Pick<Address, 'get' | 'all'>): HostFilters {
  const single = Object.fromEntries(SINGLE.map((name) => [name, get(name).trim()]));
  return {
    ...(single as Readonly<Record<SingleFilter, string>>),
    status: all('status'),
    trait: all('trait'),
    // At most one value. '' selects hosts without a zone; a present empty value differs from an absent one.
    availability_zone: all('availability_zone').slice(0, 1),
  };
}

/** Query of the report; unset filters are left out. */
export function hostsQueryOf(filters: HostFilters): HostsQuery {
  const single = Object.fromEntries(SINGLE.map((name) => [name, filters[name] === '' ? undefined : filters[name]]));
  return {
    ...single,
    trait: filters.trait,
    // The service validates the values of the address.
    status: filters.status as readonly HostStatus[],
    availability_zone: filters.availability_zone[0],
  };
}

export const isFiltered = (filters: HostFilters): boolean =>
  SINGLE.some((name) => filters[name] !== '') || SEVERAL.some((name) => filters[name].length > 0);

/** Argument of `Address.set` that removes all filters. */
export const WITHOUT_FILTERS: Readonly<Record<string, undefined>> = Object.fromEntries(
  [...SINGLE, ...SEVERAL].map((name) => [name, undefined]),
);

export const DEFAULT_CLASSES: readonly string[] = ['VCPU', 'MEMORY_MB', 'DISK_GB'];
