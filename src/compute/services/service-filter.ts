// Filters for lists of services, and for lists of their hosts.
import type { RegistriesConfig } from '../registries.config';
import type { ListQuery } from '../registry-page';
import { SERVICE_STATES, SERVICE_STATUSES } from './service-liveness';
import type { ServiceStatusFilter } from './services.sql';

export function serviceFilterOf(
  { filters }: ListQuery,
  { serviceDownSeconds: downSeconds, defaultZone }: RegistriesConfig,
  nowMs: number,
): ServiceStatusFilter {
  const status = filters.choice('status', SERVICE_STATUSES);
  const requestedState = filters.choice('state', SERVICE_STATES);
  const zone = filters.last('zone');
  return {
    host: filters.last('host'),
    isDisabled: status && status === 'disabled',
    isForcedDown: filters.boolean('forced_down'),
    state: requestedState && { requestedState, nowMs, downSeconds },
    zone: zone === undefined ? undefined : { name: zone, isDefault: zone === defaultZone },
  };
}
