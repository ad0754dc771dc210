// CoreFilter: vCPUs within the host's ratio. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { CPU_REJECTIONS, fitVcpus, LEGACY_CAPACITY_WARNING, NO_VCPUS_NOTE } from './capacity-rules';

export const coreFilter = defineFilter({
  name: 'CoreFilter',
  summary: 'Rejects hosts without enough vCPUs for the flavor, by the ratio that the host reports.',
  rejections: CPU_REJECTIONS,
  notes: NO_VCPUS_NOTE,
  warning: LEGACY_CAPACITY_WARNING,
  check: (host, { flavor }, { passWith, reject }) => {
    const outcome = fitVcpus(host, flavor, host.cpuAllocationRatio);
    return outcome.passed ? passWith(outcome.pass) : reject(outcome.code, outcome.params);
  },
});
