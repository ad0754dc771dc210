// AggregateNumInstancesFilter: NumInstancesFilter with a limit that host aggregates can override.

import { defineNumInstancesFilter, MAX_INSTANCES } from './num-instances.filter';

export const aggregateNumInstancesFilter = defineNumInstancesFilter(
  {
    name: 'AggregateNumInstancesFilter',
    summary: 'Rejects hosts that already run as many instances as their host aggregates allow.',
  },
  { ...MAX_INSTANCES, aggregateKey: 'max_instances_per_host' },
);
