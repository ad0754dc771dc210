// DifferentHostFilter: keeps an instance off the hosts of the instances in its hint. An instance is on a host if it has
// an allocation in the host's provider tree.

import { defineFilter } from '../pipeline/define-filter';
import { instancesNamed } from './instances-named';
import { shownList } from './shown-params';

const HINT = 'different_host';

export const differentHostFilter = defineFilter({
  name: 'DifferentHostFilter',
  summary: 'Rejects hosts that run an instance named by the hint different_host.',
  rejections: { runs_named_instance: 'host runs {instances}, named by the hint different_host' },
  once: true,
  reads: [`scheduler_hints.${HINT}`],
  applies: (spec) => instancesNamed(spec, HINT).length > 0,
  check: (host, spec, { pass, reject }) => {
    const instances = instancesNamed(spec, HINT).filter((uuid) => host.instances.has(uuid));
    return instances.length === 0 ? pass : reject('runs_named_instance', { instances: shownList(instances) });
  },
});
