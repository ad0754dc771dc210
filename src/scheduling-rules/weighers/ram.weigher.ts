// RAMWeigher: free memory in MiB, as a share only if configured; a large host wins over an emptier small one.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';
import { freeWeight, SHARE_OPTION } from './free-share';

export const ramWeigher = defineWeigher({
  name: 'RAMWeigher',
  summary: 'Prefers hosts with more free memory; a negative multiplier stacks instead of spreading.',
  options: {
    ram_weight_multiplier: number(1.0, 'Multiplier of RAMWeigher; negative stacks instead of spreading.', {
      aggregateKey: 'ram_weight_multiplier',
    }),
    ...SHARE_OPTION,
  },
  fixedMin: 0,
  multiplier: (options) => options.ram_weight_multiplier,
  weigh: (host, _spec, { options }) => freeWeight(host.freeRamMb, host.totalUsableRamMb, options.share_based_weights),
});
