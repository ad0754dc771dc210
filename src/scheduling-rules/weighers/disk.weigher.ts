// DiskWeigher: free disk of the host state in MiB.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';
import { freeWeight, SHARE_OPTION } from './free-share';

export const diskWeigher = defineWeigher({
  name: 'DiskWeigher',
  summary: 'Prefers hosts with more free disk; a negative multiplier stacks instead of spreading.',
  options: {
    disk_weight_multiplier: number(1.0, 'Multiplier of DiskWeigher; negative stacks instead of spreading.', {
      aggregateKey: 'disk_weight_multiplier',
    }),
    ...SHARE_OPTION,
  },
  fixedMin: 0,
  multiplier: (options) => options.disk_weight_multiplier,
  weigh: (host, _spec, { options }) =>
    freeWeight(host.freeDiskMb, host.totalUsableDiskGb * 1024, options.share_based_weights),
});
