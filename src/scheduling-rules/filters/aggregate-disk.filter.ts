// AggregateDiskFilter: DiskFilter with a ratio that host aggregates can override. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { numericOverride } from '../pipeline/options';
import { DISK_REJECTIONS, fitDisk, LEGACY_CAPACITY_WARNING } from './capacity-rules';

export const aggregateDiskFilter = defineFilter({
  name: 'AggregateDiskFilter',
  summary: 'Rejects hosts without enough disk for the flavor, by the ratio that the host aggregates name.',
  rejections: DISK_REJECTIONS,
  warning: LEGACY_CAPACITY_WARNING,
  check: (host, { flavor }, { passWith, reject }) => {
    const ratio = numericOverride(host.aggregates, 'disk_allocation_ratio', 'number') ?? host.diskAllocationRatio;
    const outcome = fitDisk(host, flavor, ratio);
    return outcome.passed ? passWith(outcome.pass) : reject(outcome.code, outcome.params);
  },
});
