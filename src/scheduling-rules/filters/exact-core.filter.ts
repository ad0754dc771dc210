// ExactCoreFilter: the flavor's vCPUs must equal the host's free vCPUs. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { LEGACY_CAPACITY_WARNING } from './capacity-rules';

export const exactCoreFilter = defineFilter({
  name: 'ExactCoreFilter',
  summary: 'Rejects hosts that do not have exactly as many vCPUs left as the flavor has.',
  rejections: {
    no_vcpus_total: 'the host reports no vCPUs',
    vcpus_differ: 'the flavor has {wanted} vCPUs; the host has {found} left',
  },
  warning: LEGACY_CAPACITY_WARNING,
  check: ({ vcpusTotal, vcpusUsed }, { flavor }, { pass, reject }) => {
    if (vcpusTotal <= 0) return reject('no_vcpus_total', { total: vcpusTotal });
    const found = vcpusTotal - vcpusUsed;
    return found === flavor.vcpus ? pass : reject('vcpus_differ', { wanted: flavor.vcpus, found });
  },
});
