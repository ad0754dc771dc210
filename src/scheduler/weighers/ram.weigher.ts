// RAMWeigher: free memory in MiB, not as a share; a big host wins over an emptier small one.

import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';

export const ramWeigher = defineWeigher({
  name: 'RAMWeigher',
  summary: 'Prefers hosts with more free memory; a negative multiplier stacks instead of spreading.',
  options: {
    ram_weight_multiplier: option.number({
      default: 1.0,
      aggregateKey: 'ram_weight_multiplier',
      help: 'Multiplier of RAMWeigher; negative stacks instead of spreading.',
    }),
  },
  fixedMin: 0,
  multiplier: (options) => options.ram_weight_multiplier,
  weigh: (host) => host.freeRamMb,
});
