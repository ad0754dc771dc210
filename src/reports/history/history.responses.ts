// Response schemas of history.controller.ts.
import { presentTime } from '../../compute/registry-page';
import { byName, COUNT, INTEGER, listOf, NUMBER, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import type { Members } from '../../platform/http/shown';
import { schemasOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import type { TimelineEntry } from './timeline';

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

export const ENTRY: Members<TimelineEntry> = {
  at: [TIME, ({ at }) => presentTime(at)],
  first_at: [TIME, ({ firstAt }) => presentTime(firstAt)],
  fact: [TEXT, ({ fact }) => fact],
  was: [orNull(TEXT), ({ was }) => was],
  became: [orNull(TEXT), ({ became }) => became],
  changes: [COUNT, ({ changes }) => changes],
  hosts: [listOf(TEXT), ({ hosts }) => hosts],
  decision: [orNull(TEXT), ({ decision = null }) => decision],
};

const ENTRIES = listOf(named('TimelineEntry', closed(schemasOf(ENTRY))));

export const TIMELINE = named('Timeline', closed({ at: TIME, since: TIME, entries: ENTRIES, left_out: COUNT }));
