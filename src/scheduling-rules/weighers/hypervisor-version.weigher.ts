// HypervisorVersionWeigher: newer hypervisors first. Versions of different hypervisors are not comparable; set the
// multiplier of such hosts to 0 by their aggregates.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

export const hypervisorVersionWeigher = defineWeigher({
  name: 'HypervisorVersionWeigher',
  summary: 'Prefers hosts with a newer hypervisor; a negative multiplier prefers older ones.',
  options: {
    hypervisor_version_weight_multiplier: number(1.0, 'Multiplier of HypervisorVersionWeigher.', {
      aggregateKey: 'hypervisor_version_weight_multiplier',
    }),
  },
  multiplier: (options) => options.hypervisor_version_weight_multiplier,
  weigh: ({ hypervisorVersion }) => hypervisorVersion ?? 0,
});
