// The documents that host-rows.ts and its neighbours write.
import { COUNT, INTEGER, TEXT, TIME, UUID, byName, listOf, oneOf, orNull } from '../../http/answer-schemas';
import { closed, named } from '../../microversion/versioned-schema';
import { HOST_STATUSES } from '../cloud/host-status';

export const CLASS_SUM = named(
  'ReportedClassSum',
  closed({ total: COUNT, reserved: COUNT, capacity: INTEGER, used: COUNT, free: COUNT }),
);

export const NAMED_AGGREGATE = named('ReportedHostAggregate', closed({ uuid: UUID, name: TEXT }));

export const HOST_ROW = named(
  'ReportedHostRow',
  closed({
    uuid: UUID,
    name: TEXT,
    host: orNull(TEXT),
    node: orNull(TEXT),
    availability_zone: orNull(TEXT),
    host_aggregates: listOf(NAMED_AGGREGATE),
    placement_aggregates: listOf(UUID),
    traits: COUNT,
    providers: COUNT,
    instances: COUNT,
    status: oneOf(...HOST_STATUSES),
    status_reason: orNull(TEXT),
    last_seen_up: orNull(TIME),
    resource_classes: byName(CLASS_SUM),
  }),
);

export const HOST_LIST = named(
  'ReportedHosts',
  closed({ at: TIME, count: COUNT, hosts: listOf(HOST_ROW), next_marker: orNull(UUID) }),
);
