// AggregateNumInstancesFilter: NumInstancesFilter with a limit that host aggregates may override.

import { defineFilter } from '../pipeline/define-filter';
import { MAX_INSTANCES } from './num-instances.filter';

export const aggregateNumInstancesFilter = defineFilter({
  name: 'AggregateNumInstancesFilter',
  summary: 'Rejects hosts that already run as many instances as their host aggregates allow.',
  options: {
    max_instances_per_host: { ...MAX_INSTANCES, aggregateKey: 'max_instances_per_host' },
  },
  rejections: { too_many_instances: 'host runs {actual} instances; the limit is {limit}' },
  check: (host, _spec, { options, pass, reject }) =>
    host.numInstances < options.max_instances_per_host
      ? pass
      : reject('too_many_instances', { actual: host.numInstances, limit: options.max_instances_per_host }),
});
