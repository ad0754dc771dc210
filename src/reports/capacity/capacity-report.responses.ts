// The document that capacity-report.presenter.ts writes.
import {
  byName,
  COUNT,
  FLAG,
  INTEGER,
  listOf,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

export const ROOT = named('ReportedRoot', closed({ uuid: UUID, name: TEXT }));

const STRANDED = named(
  'StrandedAmount',
  closed({
    amount: COUNT,
    at_most: FLAG,
    hosts: COUNT,
    because: listOf(named('StrandedReason', closed({ lacks: TEXT, hosts: COUNT, amount: COUNT, sentence: TEXT }))),
  }),
);

const GROUP_CLASS = named(
  'ReportedCapacityOfClass',
  closed({
    total: COUNT,
    reserved: COUNT,
    capacity: INTEGER,
    used: COUNT,
    free: COUNT,
    usable: COUNT,
    largest_free: COUNT,
    largest_free_host: orNull(ROOT),
    stranded: orNull(STRANDED),
  }),
);

export const CAPACITY_REPORT = named(
  'CapacityReport',
  closed({
    at: TIME,
    group_by: TEXT,
    groups: listOf(
      named(
        'ReportedCapacity',
        closed({
          key: orNull(TEXT),
          name: orNull(TEXT),
          hosts: COUNT,
          hosts_usable: COUNT,
          statuses: byName(COUNT),
          instances: COUNT,
          resource_classes: byName(GROUP_CLASS),
        }),
      ),
    ),
    stranded: named(
      'StrandedFinding',
      closed({ state: oneOf('current', 'computing'), at: orNull(TIME), age_s: orNull(COUNT), flavors: COUNT }),
    ),
    next_marker: orNull(TEXT),
  }),
);
