// The documents of instance-reports.controller.ts.
import { presentTime } from '../../compute/registry-page';
import { COUNT, listOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import { documentOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import type { ListedInstance } from './instance-list.service';

const GROUP = named('ReportedServerGroup', closed({ uuid: UUID, name: orNull(TEXT) }));

export const ROW = documentOf<ListedInstance>('ListedInstance', {
  uuid: [UUID, ({ uuid }) => uuid],
  name: [orNull(TEXT), ({ name }) => name],
  project_id: [TEXT, ({ projectId }) => projectId],
  user_id: [TEXT, ({ userId }) => userId],
  flavor: [orNull(TEXT), ({ flavor }) => flavor],
  image: [orNull(TEXT), ({ image }) => image],
  host: [TEXT, ({ host }) => host],
  host_uuid: [UUID, ({ hostUuid }) => hostUuid],
  availability_zone: [orNull(TEXT), ({ zone }) => zone],
  server_group: [orNull(GROUP), ({ group }) => group],
  state: [TEXT, ({ state }) => state],
  decision: [TEXT, ({ requestId }) => requestId],
  created_at: [TIME, ({ createdAtMs }) => presentTime(createdAtMs)],
});

export const INSTANCE_LIST = named(
  'ReportedInstances',
  closed({
    at: TIME,
    instances: listOf(ROW.schema),
    count: orNull(COUNT),
    next_marker: orNull(UUID),
  }),
);
