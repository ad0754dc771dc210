import type { ServerGroup } from '../../../compute/server-groups/server-group.entity';
import type { ComputeVersion } from '../../compute-version';

export const presentComputeServerGroup = (group: ServerGroup, api: ComputeVersion): object => ({
  id: group.uuid,
  name: group.name,
  ...(api.has('groupPolicy')
    ? { policy: group.policy, rules: rulesOf(group) }
    : { policies: [group.policy], metadata: {} }),
  members: group.members.map(({ uuid }) => uuid),
  ...(api.has('groupOwner') && { project_id: group.projectId, user_id: group.userId }),
});

const rulesOf = ({ maxServerPerHost }: ServerGroup): object =>
  maxServerPerHost === null ? {} : { max_server_per_host: maxServerPerHost };
