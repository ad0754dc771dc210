// CPUWeigher: free vCPUs, including the host's ratio. Ignores pinned CPUs.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';
import { freeWeight, SHARE_OPTION } from './free-share';

export const cpuWeigher = defineWeigher({
  name: 'CPUWeigher',
  summary: 'Prefers hosts with more free vCPUs; a negative multiplier stacks instead of spreading.',
  options: {
    cpu_weight_multiplier: number(1.0, 'Multiplier of CPUWeigher; negative stacks instead of spreading.', {
      aggregateKey: 'cpu_weight_multiplier',
    }),
    ...SHARE_OPTION,
  },
  fixedMin: 0,
  multiplier: (options) => options.cpu_weight_multiplier,
  weigh: ({ vcpusTotal, vcpusUsed, cpuAllocationRatio }, _spec, { options }) => {
    const limit = vcpusTotal * cpuAllocationRatio;
    return freeWeight(limit - vcpusUsed, limit, options.share_based_weights);
  },
});
