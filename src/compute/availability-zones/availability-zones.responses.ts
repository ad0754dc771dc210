import { COUNT, FLAG, listOf, oneOf, TEXT } from '../../platform/http/answer-schemas';
import type { Members } from '../../platform/http/shown';
import { presenterOf, schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { SERVICE_STATES, SERVICE_STATUSES } from '../services/service-liveness';
import type { AvailabilityZone } from './availability-zones.loader';

const HOST: Members<AvailabilityZone['hosts'][number]> = {
  host: [TEXT, ({ host }) => host],
  state: [oneOf(...SERVICE_STATES), ({ isUp }) => (isUp ? 'up' : 'down')],
  status: [oneOf(...SERVICE_STATUSES), ({ isEnabled }) => (isEnabled ? 'enabled' : 'disabled')],
};
const presentHost = presenterOf(HOST);

/** A zone is available if at least one of its hosts is up and enabled. */
const ZONE: Members<AvailabilityZone> = {
  name: [TEXT, ({ name }) => name],
  default: [FLAG, ({ isDefault }) => isDefault],
  available: [FLAG, ({ hosts }) => hosts.some(({ isUp, isEnabled }) => isUp && isEnabled)],
  hosts_total: [COUNT, ({ hosts }) => hosts.length],
  hosts_up: [COUNT, ({ hosts }) => hosts.filter(({ isUp }) => isUp).length],
  hosts: [listOf(closed(schemasOf(HOST))), ({ hosts }) => hosts.map(presentHost)],
};

export const AVAILABILITY_ZONE = named('AvailabilityZone', closed(schemasOf(ZONE)));
export const presentZone = presenterOf(ZONE);
