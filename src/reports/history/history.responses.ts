// Response schemas of history.controller.ts.
import { presentTime } from '../../compute/registry-page';
import { byName, COUNT, INTEGER, listOf, NUMBER, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { documentOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import type { NewSample } from './samples.repository';
import type { TimelineEntry } from './timeline';

const CLASS = named('SampledClass', closed({ capacity: INTEGER, used: COUNT, usable: COUNT, stranded: orNull(COUNT) }));

export const SAMPLE = documentOf<NewSample>('ReportedSample', {
  at: [TIME, ({ sampledAtMs }) => presentTime(sampledAtMs)],
  placed: [COUNT, ({ placed }) => placed],
  refused: [COUNT, ({ refused }) => refused],
  hosts: [COUNT, ({ document }) => document.hosts],
  hosts_usable: [COUNT, ({ document }) => document.usable],
  instances: [COUNT, ({ document }) => document.instances],
  resource_classes: [byName(CLASS), ({ document }) => document.classes],
});

const FORECAST = named(
  'WhenFull',
  closed({ resource_class: TEXT, earliest_days: orNull(NUMBER), latest_days: orNull(NUMBER), sentence: TEXT }),
);

export const HISTORY = named(
  'History',
  closed({ at: TIME, since: TIME, samples: listOf(SAMPLE.schema), when_full: listOf(FORECAST) }),
);

export const ENTRY = documentOf<TimelineEntry>('TimelineEntry', {
  at: [TIME, ({ at }) => presentTime(at)],
  first_at: [TIME, ({ firstAt }) => presentTime(firstAt)],
  fact: [TEXT, ({ fact }) => fact],
  was: [orNull(TEXT), ({ was }) => was],
  became: [orNull(TEXT), ({ became }) => became],
  changes: [COUNT, ({ changes }) => changes],
  hosts: [listOf(TEXT), ({ hosts }) => hosts],
  decision: [orNull(TEXT), ({ decision = null }) => decision],
});

export const TIMELINE = named(
  'Timeline',
  closed({ at: TIME, since: TIME, entries: listOf(ENTRY.schema), left_out: COUNT }),
);
