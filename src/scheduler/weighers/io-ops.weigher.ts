// IoOpsWeigher: the counter of IoOpsFilter, with a negative multiplier by default.

import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';

export const ioOpsWeigher = defineWeigher({
  name: 'IoOpsWeigher',
  summary: 'Prefers hosts with fewer I/O-heavy operations; a positive multiplier prefers busy ones.',
  options: {
    io_ops_weight_multiplier: option.number({
      default: -1.0,
      aggregateKey: 'io_ops_weight_multiplier',
      help: 'Multiplier of IoOpsWeigher; negative prefers hosts with less to do.',
    }),
  },
  fixedMin: 0,
  multiplier: (options) => options.io_ops_weight_multiplier,
  weigh: ({ numIoOps }) => numIoOps,
});
