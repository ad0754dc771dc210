// The documents that host-rows.ts and its neighbours write.
import { SERVICE_STATE } from '../../compute/services/services.responses';
import {
  byName,
  COUNT,
  FLAG,
  GENERATION,
  INTEGER,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { HOST_STATUSES } from '../../scheduler/cloud/host-status';
import { OUTCOME } from '../../scheduler/decisions/decision.responses';
import { STRANDED_AGE } from '../stranded/stranded-amounts';
import { VERDICTS } from './decision-mentions';

const CLASS_SUM = named(
  'ReportedClassSum',
  closed({ total: COUNT, reserved: COUNT, capacity: INTEGER, used: COUNT, free: COUNT }),
);

export const NAMED_AGGREGATE = named('ReportedHostAggregate', closed({ uuid: UUID, name: TEXT }));

const HOST_ROW = named(
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
    stranded: orNull(
      byName(named('HostStrandedAmount', closed({ amount: COUNT, at_most: FLAG, because: orNull(TEXT) }))),
    ),
  }),
);

export const HOST_LIST = named(
  'ReportedHosts',
  closed({
    at: TIME,
    count: COUNT,
    hosts: listOf(HOST_ROW),
    stranded: orNull(STRANDED_AGE),
    next_marker: orNull(UUID),
  }),
);

const NODE_CLASS = named(
  'ReportedInventory',
  closed({
    total: COUNT,
    reserved: COUNT,
    capacity: INTEGER,
    used: COUNT,
    free: COUNT,
    min_unit: COUNT,
    max_unit: COUNT,
    step_size: COUNT,
    allocation_ratio: NUMBER,
  }),
);

const NODE = named(
  'ReportedProvider',
  closed({
    uuid: UUID,
    name: TEXT,
    generation: orNull(GENERATION),
    parent_uuid: orNull(UUID),
    traits: listOf(TEXT),
    aggregates: listOf(UUID),
    resource_classes: byName(NODE_CLASS),
    consumers: COUNT,
    children: listOf({ $ref: '#/components/schemas/ReportedProvider' }),
  }),
);

const CONSUMER = named(
  'ReportedConsumer',
  closed({
    uuid: UUID,
    consumer_type: orNull(TEXT),
    project_id: TEXT,
    user_id: TEXT,
    generation: GENERATION,
    instance: orNull(
      named(
        'PlacedConsumer',
        closed({
          flavor: orNull(TEXT),
          image: orNull(TEXT),
          availability_zone: orNull(TEXT),
          server_group: orNull(UUID),
          decision: orNull(TEXT),
        }),
      ),
    ),
    allocations: byName(byName(COUNT)),
  }),
);

const MENTION = named(
  'ReportedDecision',
  closed({
    request_id: TEXT,
    at: TIME,
    outcome: OUTCOME,
    verdict: oneOf(...VERDICTS),
    by: orNull(TEXT),
    code: orNull(TEXT),
    message: orNull(TEXT),
  }),
);

export const HOST_DETAIL = named(
  'ReportedHost',
  closed({
    at: TIME,
    host: HOST_ROW,
    service: orNull(named('ReportedService', closed(SERVICE_STATE))),
    hypervisor: orNull(
      named('ReportedHypervisor', closed({ type: orNull(TEXT), version: orNull(INTEGER), hostname: orNull(TEXT) })),
    ),
    tree: NODE,
    tree_truncated: FLAG,
    shared: listOf(
      named(
        'ReportedSharing',
        closed({ uuid: UUID, name: TEXT, aggregates: listOf(UUID), resource_classes: byName(CLASS_SUM) }),
      ),
    ),
    consumers: listOf(CONSUMER),
    consumers_truncated: FLAG,
    decisions: listOf(MENTION),
    flavors: listOf(named('JudgedFlavor', closed({ id: TEXT, name: TEXT, fits: FLAG, hinders: listOf(TEXT) }))),
    flavors_truncated: FLAG,
  }),
);
