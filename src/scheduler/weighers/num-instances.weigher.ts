// NumInstancesWeigher: how many instances a host runs. Off by default.

import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';

export const numInstancesWeigher = defineWeigher({
  name: 'NumInstancesWeigher',
  summary: 'Prefers hosts with more instances; a negative multiplier prefers those with fewer.',
  options: {
    num_instances_weight_multiplier: option.number({
      default: 0,
      aggregateKey: 'num_instances_weight_multiplier',
      help: 'Multiplier of NumInstancesWeigher; positive prefers fuller hosts.',
    }),
  },
  multiplier: (options) => options.num_instances_weight_multiplier,
  weigh: ({ numInstances }) => numInstances,
});
