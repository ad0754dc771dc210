// Members of a server group on a host. Shared by the anti-affinity filter and the soft weighers.

import type { InstanceGroup } from '../request-spec/request-spec';
import type { HostState } from './host-state';

/** Group members among the host's instances; iterates over the smaller set. */
export function membersOnHost(host: Pick<HostState, 'instances'>, group: Pick<InstanceGroup, 'members'>): string[] {
  const { instances } = host;
  const { members } = group;
  const found: string[] = [];
  if (instances.size <= members.size) {
    for (const uuid of instances.keys()) if (members.has(uuid)) found.push(uuid);
  } else {
    for (const uuid of members) if (instances.has(uuid)) found.push(uuid);
  }
  return found;
}
