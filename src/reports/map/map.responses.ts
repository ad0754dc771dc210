import { CONDITION_KINDS } from '../../placement/candidate-search';
import { COUNT, FLAG, listOf, NUMBER, oneOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { NAMED_AGGREGATE } from '../hosts/host-rows';
import { STRANDED_AGE } from '../stranded/stranded-amounts';

const CELL = named(
  'CloudMapCell',
  closed(
    {
      uuid: UUID,
      name: TEXT,
      zone: orNull(TEXT),
      host_aggregates: { ...listOf(COUNT), description: 'Positions in the list of host aggregates, counted from 0.' },
      status: oneOf(...HOST_STATUSES),
      share: {
        ...orNull(NUMBER),
        description: 'With resource_class: the used share. With stranded: the stranded share.',
      },
      has: { ...FLAG, description: 'With trait: the host has it.' },
      fits: { ...FLAG, description: 'With flavor: one more fits.' },
      reason: { ...COUNT, description: 'If it does not fit: the position of the reason in the list of reasons.' },
    },
    ['share', 'has', 'fits', 'reason'],
  ),
);

export const CLOUD_MAP = named(
  'CloudMap',
  closed({
    at: TIME,
    host_aggregates: listOf(NAMED_AGGREGATE),
    hosts: listOf(CELL),
    reasons: listOf(
      named(
        'CloudMapReason',
        closed({
          kind: oneOf('status', ...CONDITION_KINDS),
          name: TEXT,
          sentence: TEXT,
        }),
      ),
    ),
    stranded: orNull(STRANDED_AGE),
    truncated: FLAG,
  }),
);
