// AggregateIoOpsFilter: IoOpsFilter with a limit that host aggregates can override.

import { defineIoOpsFilter, MAX_IO_OPS } from './io-ops.filter';

export const aggregateIoOpsFilter = defineIoOpsFilter(
  {
    name: 'AggregateIoOpsFilter',
    summary: 'Rejects hosts that already run as many I/O-heavy operations as their host aggregates allow.',
  },
  { ...MAX_IO_OPS, aggregateKey: 'max_io_ops_per_host' },
);
