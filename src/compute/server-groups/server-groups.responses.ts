import { listOf, oneOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed } from '../../platform/microversion/versioned-schema';
import { registered } from '../registry.responses';
import type { ServerGroup } from './server-group.entity';
import { GROUP_POLICIES } from './server-groups.schema';

export const GROUP_RULES = closed({ max_server_per_host: { type: 'integer', minimum: 1 } }, ['max_server_per_host']);

export const SERVER_GROUP = registered<ServerGroup>('ServerGroup', {
  uuid: [UUID, ({ uuid }) => uuid],
  name: [TEXT, ({ name }) => name],
  project_id: [orNull(TEXT), ({ projectId }) => projectId],
  user_id: [orNull(TEXT), ({ userId }) => userId],
  policy: [oneOf(...GROUP_POLICIES), ({ policy }) => policy],
  rules: [GROUP_RULES, ({ maxServerPerHost: most }) => (most === null ? {} : { max_server_per_host: most })],
  members: [listOf(UUID), ({ members }) => members.map(({ uuid }) => uuid)],
  hosts: [listOf(TEXT), ({ members }) => [...new Set(members.flatMap(({ host }) => host ?? []))].sort()],
});
