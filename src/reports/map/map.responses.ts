import { COUNT, FLAG, listOf, NUMBER, oneOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { NAMED_AGGREGATE } from '../hosts/host-reports.responses';
import { STRANDED_AGE } from '../stranded/stranded-amounts';

const CELL = named('CloudMapCell', {
  type: 'array',
  description:
    'Uuid, name, which zone, which host aggregates, which status, value. The value for a flavor is 1 if one more fits; 0, -1, -2, … name the reason at that position, counted from 0.',
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
    reasons: listOf(
      named(
        'CloudMapReason',
        closed({
          kind: oneOf('status', 'room', 'class', 'condition', 'forbidden', 'nothing'),
          name: TEXT,
          sentence: TEXT,
        }),
      ),
    ),
    stranded: orNull(STRANDED_AGE),
    truncated: FLAG,
  }),
);
