// AggregateRamFilter: RamFilter with a ratio that host aggregates can override. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { numericOverride } from '../pipeline/options';
import { fitRam, LEGACY_CAPACITY_WARNING, RAM_REJECTIONS } from './capacity-rules';

export const aggregateRamFilter = defineFilter({
  name: 'AggregateRamFilter',
  summary: 'Rejects hosts without enough memory for the flavor, by the ratio that the host aggregates name.',
  rejections: RAM_REJECTIONS,
  warning: LEGACY_CAPACITY_WARNING,
  check: (host, { flavor }, { passWith, reject }) => {
    const ratio = numericOverride(host.aggregates, 'ram_allocation_ratio', 'number') ?? host.ramAllocationRatio;
    const outcome = fitRam(host, flavor, ratio);
    return outcome.passed ? passWith(outcome.pass) : reject(outcome.code, outcome.params);
  },
});
