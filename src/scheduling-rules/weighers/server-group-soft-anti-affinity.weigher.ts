// ServerGroupSoftAntiAffinityWeigher: members of a soft-anti-affinity group on the host, counted negatively.

import { number } from '../../platform/values/options';
import { membersOnHost } from '../host-state/group-members';
import { defineWeigher } from '../pipeline/define-weigher';

export const serverGroupSoftAntiAffinityWeigher = defineWeigher({
  name: 'ServerGroupSoftAntiAffinityWeigher',
  summary: 'Prefers hosts with fewer members of the soft-anti-affinity server group.',
  options: {
    soft_anti_affinity_weight_multiplier: number(1.0, 'Multiplier of ServerGroupSoftAntiAffinityWeigher.', {
      min: 0,
      aggregateKey: 'soft_anti_affinity_weight_multiplier',
    }),
  },
  reads: ['instance_group', 'scheduler_hints.group'],
  applies: ({ instanceGroup }) => instanceGroup?.policy === 'soft-anti-affinity',
  multiplier: (options) => options.soft_anti_affinity_weight_multiplier,
  weigh: (host, { instanceGroup: group }) =>
    group?.policy === 'soft-anti-affinity' ? 0 - membersOnHost(host, group).length : 0,
});
