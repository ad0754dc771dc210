// RAMWeigher: free memory in MiB, not as a share unless asked; a big host wins over an emptier small one.

import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';
import { SHARE_OPTION, freeWeight } from './free-share';

export const ramWeigher = defineWeigher({
  name: 'RAMWeigher',
  summary: 'Prefers hosts with more free memory; a negative multiplier stacks instead of spreading.',
  options: {
    ram_weight_multiplier: option.number({
      default: 1.0,
      aggregateKey: 'ram_weight_multiplier',
      help: 'Multiplier of RAMWeigher; negative stacks instead of spreading.',
    }),
    ...SHARE_OPTION,
  },
  fixedMin: 0,
  multiplier: (options) => options.ram_weight_multiplier,
  weigh: (host, _spec, { options }) => freeWeight(host.freeRamMb, host.totalUsableRamMb, options.share_based_weights),
});
