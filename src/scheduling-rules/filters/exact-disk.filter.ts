// ExactDiskFilter: the flavor's disk must equal the host's free disk. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { diskMbOf, LEGACY_CAPACITY_WARNING } from './capacity-rules';

export const exactDiskFilter = defineFilter({
  name: 'ExactDiskFilter',
  summary: 'Rejects hosts whose free disk is not exactly the disk of the flavor.',
  rejections: { disk_differs: 'the flavor has {wanted} MiB of disk; the host has {found} left' },
  warning: LEGACY_CAPACITY_WARNING,
  check: ({ freeDiskMb: found }, { flavor }, { pass, reject }) => {
    const requestedMb = diskMbOf(flavor);
    return found === requestedMb ? pass : reject('disk_differs', { wanted: requestedMb, found });
  },
});
