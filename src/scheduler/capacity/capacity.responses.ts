// Response schema for capacity.presenter.ts.
import { REJECTION_PARAMS } from '../../placement/allocation-candidates/explain.responses';
import { byName, COUNT, FLAG, listOf, oneOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { DECISION, OUTCOME } from '../decisions/decision.responses';

/** Why no further instance fits on a host. */
const BLOCKED_HOST = closed({
  host: TEXT,
  node: TEXT,
  stage: TEXT,
  code: TEXT,
  params: REJECTION_PARAMS,
  message: TEXT,
});

export const CAPACITY = named(
  'Capacity',
  closed(
    {
      request_id: TEXT,
      outcome: OUTCOME,
      code: TEXT,
      message: TEXT,
      total: orNull(COUNT),
      at_least: FLAG,
      cut_by: oneOf('max_instances', 'time'),
      hosts_not_counted: COUNT,
      max_instances: COUNT,
      zones: listOf(closed({ zone: TEXT, hosts: COUNT, instances: COUNT })),
      hosts: listOf(closed({ host: TEXT, node: TEXT, uuid: UUID, availability_zone: TEXT, instances: COUNT })),
      hosts_truncated: FLAG,
      blocked: closed({ count: COUNT, by_code: byName(COUNT), hosts: listOf(BLOCKED_HOST), truncated: FLAG }),
      decision: DECISION,
    },
    ['code', 'message', 'cut_by', 'hosts_not_counted', 'decision'],
  ),
);
