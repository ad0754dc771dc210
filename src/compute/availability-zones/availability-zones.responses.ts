import { COUNT, FLAG, listOf, oneOf, TEXT } from '../../platform/http/answer-schemas';
import { documentOf } from '../../platform/http/shown';
import { closed } from '../../platform/microversion/versioned-schema';
import { SERVICE_STATES, SERVICE_STATUSES } from '../services/service-liveness';
import type { AvailabilityZone } from './availability-zones.loader';

const HOST = closed({ host: TEXT, state: oneOf(...SERVICE_STATES), status: oneOf(...SERVICE_STATUSES) });

/** A literal, because a zone can have all hosts. */
const presentHost = ({ host, isUp, isEnabled }: AvailabilityZone['hosts'][number]): object => ({
  host,
  state: isUp ? 'up' : 'down',
  status: isEnabled ? 'enabled' : 'disabled',
});

/** A zone is available if at least one of its hosts is up and enabled. */
export const ZONE = documentOf<AvailabilityZone>('AvailabilityZone', {
  name: [TEXT, ({ name }) => name],
  default: [FLAG, ({ isDefault }) => isDefault],
  available: [FLAG, ({ hosts }) => hosts.some(({ isUp, isEnabled }) => isUp && isEnabled)],
  hosts_total: [COUNT, ({ hosts }) => hosts.length],
  hosts_up: [COUNT, ({ hosts }) => hosts.filter(({ isUp }) => isUp).length],
  hosts: [listOf(HOST), ({ hosts }) => hosts.map(presentHost)],
});
