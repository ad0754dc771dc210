// AggregateCoreFilter: CoreFilter with a ratio that host aggregates can override. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { numericOverride } from '../pipeline/options';
import { CPU_REJECTIONS, fitVcpus, LEGACY_CAPACITY_WARNING, NO_VCPUS_NOTE } from './capacity-rules';

export const aggregateCoreFilter = defineFilter({
  name: 'AggregateCoreFilter',
  summary: 'Rejects hosts without enough vCPUs for the flavor, by the ratio that the host aggregates name.',
  rejections: CPU_REJECTIONS,
  notes: NO_VCPUS_NOTE,
  warning: LEGACY_CAPACITY_WARNING,
  check: (host, { flavor }, { passWith, reject }) => {
    const ratio = numericOverride(host.aggregates, 'cpu_allocation_ratio', 'number') ?? host.cpuAllocationRatio;
    const outcome = fitVcpus(host, flavor, ratio);
    return outcome.passed ? passWith(outcome.pass) : reject(outcome.code, outcome.params);
  },
});
