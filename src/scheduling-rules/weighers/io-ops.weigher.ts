// IoOpsWeigher: the counter of IoOpsFilter, with a negative multiplier by default.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

export const ioOpsWeigher = defineWeigher({
  name: 'IoOpsWeigher',
  summary: 'Prefers hosts with fewer I/O-heavy operations; a positive multiplier prefers busy ones.',
  options: {
    io_ops_weight_multiplier: number(-1.0, 'Multiplier of IoOpsWeigher; negative prefers hosts with less to do.', {
      aggregateKey: 'io_ops_weight_multiplier',
    }),
  },
  fixedMin: 0,
  multiplier: (options) => options.io_ops_weight_multiplier,
  weigh: ({ numIoOps }) => numIoOps,
});
