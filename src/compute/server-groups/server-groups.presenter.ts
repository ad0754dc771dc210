import type { Warning } from '../definition-rules';
import { presentTime } from '../registry-page';
import type { ServerGroup } from './server-group.entity';

export const presentServerGroup = (group: ServerGroup, warnings: readonly Warning[] = []): object => ({
  uuid: group.uuid,
  name: group.name,
  project_id: group.projectId,
  user_id: group.userId,
  policy: group.policy,
  rules: group.maxServerPerHost === null ? {} : { max_server_per_host: group.maxServerPerHost },
  members: group.members.map(({ uuid }) => uuid),
  hosts: [...new Set(group.members.flatMap(({ host }) => host ?? []))].sort(),
  generation: group.generation,
  created_at: presentTime(group.createdAtMs),
  updated_at: presentTime(group.updatedAtMs),
  ...(warnings.length > 0 && { warnings }),
});
