// ServerGroupAffinityFilter: an affinity group's members share its hosts; the first member can go to any host.

import { defineFilter } from '../pipeline/define-filter';
import { shownList } from './shown-params';

export const serverGroupAffinityFilter = defineFilter({
  name: 'ServerGroupAffinityFilter',
  summary: 'Rejects hosts that run no member of the affinity server group, once the group has hosts.',
  rejections: { not_a_group_host: 'host {host} is none of the hosts of the affinity group: {hosts}' },
  reads: ['instance_group', 'scheduler_hints.group'],
  applies: ({ instanceGroup: group }) => group?.policy === 'affinity' && group.hosts.size > 0,
  check: ({ host }, { instanceGroup: group }, { pass, reject }) => {
    if (group?.policy !== 'affinity' || group.hosts.size === 0 || group.hosts.has(host)) return pass;
    return reject('not_a_group_host', { host, hosts: shownList(group.hosts) });
  },
});
