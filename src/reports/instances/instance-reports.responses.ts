// Response schemas of instance-reports.controller.ts.
import { listOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

const ROW = named(
  'ListedInstance',
  closed({
    uuid: UUID,
    name: orNull(TEXT),
    project_id: TEXT,
    user_id: TEXT,
    flavor: orNull(TEXT),
    image: orNull(TEXT),
    host: TEXT,
    host_uuid: UUID,
    availability_zone: orNull(TEXT),
    server_group: orNull(named('ReportedServerGroup', closed({ uuid: UUID, name: orNull(TEXT) }))),
    state: TEXT,
    decision: TEXT,
    created_at: TIME,
  }),
);

export const INSTANCE_LIST = named(
  'ReportedInstances',
  closed({ at: TIME, instances: listOf(ROW), next_marker: orNull(UUID) }),
);
