// RamFilter: memory within the host's ratio. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { fitRam, LEGACY_CAPACITY_WARNING, RAM_REJECTIONS } from './capacity-rules';

export const ramFilter = defineFilter({
  name: 'RamFilter',
  summary: 'Rejects hosts without enough memory for the flavor, by the ratio that the host reports.',
  rejections: RAM_REJECTIONS,
  warning: LEGACY_CAPACITY_WARNING,
  check: (host, { flavor }, { passWith, reject }) => {
    const outcome = fitRam(host, flavor, host.ramAllocationRatio);
    return outcome.passed ? passWith(outcome.pass) : reject(outcome.code, outcome.params);
  },
});
