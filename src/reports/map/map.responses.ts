import { COUNT, FLAG, NUMBER, TEXT, TIME, UUID, listOf, oneOf, orNull } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { NAMED_AGGREGATE } from '../hosts/host-reports.responses';

const CELL = named('CloudMapCell', {
  type: 'array',
  description: 'Uuid, name, which zone, which host aggregates, which status, value.',
  prefixItems: [UUID, TEXT, COUNT, listOf(COUNT), COUNT, orNull(NUMBER)],
  minItems: 6,
  maxItems: 6,
});

export const CLOUD_MAP = named(
  'CloudMap',
  closed({
    at: TIME,
    zones: listOf(orNull(TEXT)),
    host_aggregates: listOf(NAMED_AGGREGATE),
    statuses: listOf(oneOf(...HOST_STATUSES)),
    hosts: listOf(CELL),
    truncated: FLAG,
  }),
);
