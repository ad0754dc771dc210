import type { ServerGroup } from './server-group.entity';

export const presentServerGroup = (group: ServerGroup): object => ({
  uuid: group.uuid,
  name: group.name,
  project_id: group.projectId,
  user_id: group.userId,
  policy: group.policy,
  rules: group.maxServerPerHost === null ? {} : { max_server_per_host: group.maxServerPerHost },
  members: group.members.map(({ uuid }) => uuid),
  hosts: [...new Set(group.members.flatMap(({ host }) => host ?? []))].sort(),
});
