// Response schemas of history.controller.ts.
import { byName, COUNT, INTEGER, listOf, NUMBER, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

const CLASS = named('SampledClass', closed({ capacity: INTEGER, used: COUNT, usable: COUNT, stranded: orNull(COUNT) }));

const SAMPLE = named(
  'ReportedSample',
  closed({
    at: TIME,
    placed: COUNT,
    refused: COUNT,
    hosts: COUNT,
    hosts_usable: COUNT,
    instances: COUNT,
    resource_classes: byName(CLASS),
  }),
);

const FORECAST = named(
  'WhenFull',
  closed({ resource_class: TEXT, earliest_days: orNull(NUMBER), latest_days: orNull(NUMBER), sentence: TEXT }),
);

export const HISTORY = named(
  'History',
  closed({ at: TIME, since: TIME, samples: listOf(SAMPLE), when_full: listOf(FORECAST) }),
);
