// Response schemas of history.controller.ts.
import { byName, COUNT, INTEGER, listOf, orNull, TIME } from '../../platform/http/answer-schemas';
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

export const HISTORY = named('History', closed({ at: TIME, since: TIME, samples: listOf(SAMPLE) }));
