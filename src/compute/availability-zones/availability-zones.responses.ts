import { COUNT, FLAG, listOf, oneOf, TEXT } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { SERVICE_STATES, SERVICE_STATUSES } from '../services/service-liveness';

export const AVAILABILITY_ZONE = named(
  'AvailabilityZone',
  closed({
    name: TEXT,
    default: FLAG,
    available: FLAG,
    hosts_total: COUNT,
    hosts_up: COUNT,
    hosts: listOf(closed({ host: TEXT, state: oneOf(...SERVICE_STATES), status: oneOf(...SERVICE_STATUSES) })),
  }),
);
