// ExactRamFilter: the flavor's memory must equal the host's free memory. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { LEGACY_CAPACITY_WARNING } from './capacity-rules';

export const exactRamFilter = defineFilter({
  name: 'ExactRamFilter',
  summary: 'Rejects hosts whose free memory is not exactly the memory of the flavor.',
  rejections: { ram_differs: 'the flavor has {wanted} MiB of memory; the host has {found} left' },
  warning: LEGACY_CAPACITY_WARNING,
  check: ({ freeRamMb: found }, { flavor }, { pass, reject }) =>
    found === flavor.memoryMb ? pass : reject('ram_differs', { wanted: flavor.memoryMb, found }),
});
