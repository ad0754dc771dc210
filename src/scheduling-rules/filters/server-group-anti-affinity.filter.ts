// ServerGroupAntiAffinityFilter: limits the members of an anti-affinity group per host.

import { membersOnHost } from '../host-state/group-members';
import { defineFilter } from '../pipeline/define-filter';
import { shownList } from './shown-params';

export const serverGroupAntiAffinityFilter = defineFilter({
  name: 'ServerGroupAntiAffinityFilter',
  summary: 'Rejects hosts that already run as many members of the anti-affinity server group as it allows per host.',
  rejections: {
    too_many_group_members:
      'host runs {actual} of at most {limit} members of anti-affinity group {group}; add hosts or raise its max_server_per_host',
  },
  notes: { already_here: 'passed because the instance itself is on this host already' },
  reads: ['instance_group', 'scheduler_hints.group'],
  applies: ({ instanceGroup }) => instanceGroup?.policy === 'anti-affinity',
  check: (host, { instanceGroup: group, instanceUuid }, { pass, passWith, reject }) => {
    if (group?.policy !== 'anti-affinity') return pass;
    const members = membersOnHost(host, group);
    const limit = group.maxServerPerHost ?? 1;
    if (host.instances.has(instanceUuid)) {
      return members.length < limit ? pass : passWith({ note: { code: 'already_here', params: {} } });
    }
    if (members.length < limit) return pass;
    const name = group.name ?? group.uuid ?? 'of the request';
    return reject('too_many_group_members', {
      actual: members.length,
      group: name,
      members: shownList(members),
      limit,
    });
  },
});
