// NumInstancesWeigher: the number of instances on a host. Off by default.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

export const numInstancesWeigher = defineWeigher({
  name: 'NumInstancesWeigher',
  summary: 'Prefers hosts with more instances; a negative multiplier prefers those with fewer.',
  options: {
    num_instances_weight_multiplier: number(0, 'Multiplier of NumInstancesWeigher; positive prefers fuller hosts.', {
      aggregateKey: 'num_instances_weight_multiplier',
    }),
  },
  multiplier: (options) => options.num_instances_weight_multiplier,
  weigh: ({ numInstances }) => numInstances,
});
