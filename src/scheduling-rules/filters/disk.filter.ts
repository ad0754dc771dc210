// DiskFilter: disk within the host's ratio. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { DISK_REJECTIONS, fitDisk, LEGACY_CAPACITY_WARNING } from './capacity-rules';

export const diskFilter = defineFilter({
  name: 'DiskFilter',
  summary: 'Rejects hosts without enough disk for the flavor, by the ratio that the host reports.',
  rejections: DISK_REJECTIONS,
  warning: LEGACY_CAPACITY_WARNING,
  check: (host, { flavor }, { passWith, reject }) => {
    const outcome = fitDisk(host, flavor, host.diskAllocationRatio);
    return outcome.passed ? passWith(outcome.pass) : reject(outcome.code, outcome.params);
  },
});
