// DifferentHostFilter: keeps an instance off the hosts of the instances that its hint names. An instance is on a host
// when it has an allocation in the host's provider tree.

import { defineFilter } from '../pipeline/define-filter';

export const differentHostFilter = defineFilter({
  name: 'DifferentHostFilter',
  summary: 'Rejects hosts that run an instance named by the hint different_host.',
  rejections: { runs_named_instance: 'host runs {instances}, named by the hint different_host' },
  once: true,
  reads: ['scheduler_hints.different_host'],
  check: (host, spec, { pass, reject }) => {
    const named = (spec.schedulerHints['different_host'] ?? []).map((uuid) => uuid.toLowerCase());
    const instances = [...new Set(named)].filter((uuid) => host.instances.has(uuid));
    return instances.length === 0 ? pass : reject('runs_named_instance', { instances });
  },
});
