import { COUNT, FLAG, listOf, oneOf, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { DATED } from '../registry.responses';
import { SERVICE_STATES, SERVICE_STATUSES } from './service-liveness';

/** The status that an operator set, and the liveness according to the reports. */
export const SERVICE_STATE = {
  status: oneOf(...SERVICE_STATUSES),
  disabled_reason: orNull(TEXT),
  forced_down: FLAG,
  state: oneOf(...SERVICE_STATES),
  last_seen_up: orNull(TIME),
};

export const SERVICE = named(
  'Service',
  closed({
    host: TEXT,
    nodes: listOf(TEXT),
    ...SERVICE_STATE,
    down_after_seconds: COUNT,
    availability_zone: TEXT,
    ...DATED,
  }),
);
