// IoOpsFilter: limits the concurrent I/O-heavy operations of a host.

import type { OptionDeclaration } from '../../platform/values/options';
import { integer } from '../../platform/values/options';
import type { Filter } from '../pipeline/define-filter';
import { defineFilter } from '../pipeline/define-filter';

export const MAX_IO_OPS = integer(8, 'I/O-heavy operations that a host can run at once.', { min: 0 });

/** Defines a filter of this kind with its limit option. */
export const defineIoOpsFilter = (named: Pick<Filter, 'name' | 'summary'>, limit: OptionDeclaration<number>): Filter =>
  defineFilter({
    ...named,
    options: { max_io_ops_per_host: limit },
    rejections: { too_many_io_ops: 'host runs {actual} I/O-heavy operations; the limit is {limit}' },
    check: (host, _spec, { options, pass, reject }) =>
      host.numIoOps < options.max_io_ops_per_host
        ? pass
        : reject('too_many_io_ops', { actual: host.numIoOps, limit: options.max_io_ops_per_host }),
  });

export const ioOpsFilter = defineIoOpsFilter(
  { name: 'IoOpsFilter', summary: 'Rejects hosts that already run as many I/O-heavy operations as allowed.' },
  MAX_IO_OPS,
);
