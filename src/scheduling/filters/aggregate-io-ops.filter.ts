// AggregateIoOpsFilter: IoOpsFilter with a limit that host aggregates may override.

import { defineFilter } from '../pipeline/define-filter';
import { MAX_IO_OPS } from './io-ops.filter';

export const aggregateIoOpsFilter = defineFilter({
  name: 'AggregateIoOpsFilter',
  summary: 'Rejects hosts that already run as many I/O-heavy operations as their host aggregates allow.',
  options: {
    max_io_ops_per_host: { ...MAX_IO_OPS, aggregateKey: 'max_io_ops_per_host' },
  },
  rejections: { too_many_io_ops: 'host runs {actual} I/O-heavy operations; the limit is {limit}' },
  check: (host, _spec, { options, pass, reject }) =>
    host.numIoOps < options.max_io_ops_per_host
      ? pass
      : reject('too_many_io_ops', { actual: host.numIoOps, limit: options.max_io_ops_per_host }),
});
