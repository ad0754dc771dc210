// The document that flavor-report.presenter.ts writes.
import { CONDITION_KINDS } from '../../placement/candidate-search';
import { COUNT, FLAG, listOf, oneOf, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

const BINDING = named(
  'FlavorBinding',
  closed({ kind: oneOf(...CONDITION_KINDS, 'nothing'), name: TEXT, hosts: COUNT, sentence: TEXT }),
);

export const FLAVOR_REPORT = named(
  'FlavorReport',
  closed({
    at: orNull(TIME),
    state: oneOf('current', 'computing'),
    age_s: orNull(COUNT),
    flavors: listOf(
      named(
        'CountedFlavor',
        closed({
          id: TEXT,
          name: TEXT,
          vcpus: COUNT,
          memory_mb: COUNT,
          root_gb: COUNT,
          fit: COUNT,
          at_least: FLAG,
          hosts: COUNT,
          cause: orNull(TEXT),
          binding: listOf(BINDING),
          error: orNull(TEXT),
        }),
      ),
    ),
    next_marker: orNull(TEXT),
  }),
);
