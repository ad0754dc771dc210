// DiskWeigher: free disk in MiB as the host state has it.

import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';
import { SHARE_OPTION, freeWeight } from './free-share';

export const diskWeigher = defineWeigher({
  name: 'DiskWeigher',
  summary: 'Prefers hosts with more free disk; a negative multiplier stacks instead of spreading.',
  options: {
    disk_weight_multiplier: option.number({
      default: 1.0,
      aggregateKey: 'disk_weight_multiplier',
      help: 'Multiplier of DiskWeigher; negative stacks instead of spreading.',
    }),
    ...SHARE_OPTION,
  },
  fixedMin: 0,
  multiplier: (options) => options.disk_weight_multiplier,
  weigh: (host, _spec, { options }) =>
    freeWeight(host.freeDiskMb, host.totalUsableDiskGb * 1024, options.share_based_weights),
});
