import { listOf, oneOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { closed } from '../../platform/microversion/versioned-schema';
import { DATED, registered } from '../registry.responses';
import { GROUP_POLICIES } from './server-groups.schema';

export const GROUP_RULES = closed({ max_server_per_host: { type: 'integer', minimum: 1 } }, ['max_server_per_host']);

export const SERVER_GROUP = registered('ServerGroup', {
  uuid: UUID,
  name: TEXT,
  project_id: orNull(TEXT),
  user_id: orNull(TEXT),
  policy: oneOf(...GROUP_POLICIES),
  rules: GROUP_RULES,
  members: listOf(UUID),
  hosts: listOf(TEXT),
  ...DATED,
});
