// The documents that host-rows.ts and its neighbours write.
import { SERVICE_STATE } from '../../compute/services/services.responses';
import {
  byName,
  COUNT,
  FLAG,
  GENERATION,
  INTEGER,
  listOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { STRANDED_AGE } from '../stranded/stranded-amounts';
import { MENTION, NODE } from './host-detail.presenter';
import { CLASS_SUM, HOST_ROW } from './host-rows';

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

export const CONSUMER = {
  uuid: UUID,
  consumer_type: orNull(TEXT),
  project_id: TEXT,
  user_id: TEXT,
  generation: GENERATION,
  instance: orNull(
    named(
      'PlacedConsumer',
      closed({
        name: orNull(TEXT),
        flavor: orNull(TEXT),
        image: orNull(TEXT),
        availability_zone: orNull(TEXT),
        server_group: orNull(UUID),
        decision: orNull(TEXT),
      }),
    ),
  ),
  allocations: byName(byName(COUNT)),
};

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
    consumers: listOf(named('ReportedConsumer', closed(CONSUMER))),
    consumers_truncated: FLAG,
    decisions: listOf(MENTION),
    flavors: listOf(named('JudgedFlavor', closed({ id: TEXT, name: TEXT, fits: FLAG, hinders: listOf(TEXT) }))),
    flavors_truncated: FLAG,
  }),
);
