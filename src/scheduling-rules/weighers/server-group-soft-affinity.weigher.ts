// ServerGroupSoftAffinityWeigher: members of a soft-affinity group on the host, including those of this batch.

import { number } from '../../platform/values/options';
import { membersOnHost } from '../host-state/group-members';
import { defineWeigher } from '../pipeline/define-weigher';

export const serverGroupSoftAffinityWeigher = defineWeigher({
  name: 'ServerGroupSoftAffinityWeigher',
  summary: 'Prefers hosts with more members of the soft-affinity server group.',
  options: {
    soft_affinity_weight_multiplier: number(1.0, 'Multiplier of ServerGroupSoftAffinityWeigher.', {
      min: 0,
      aggregateKey: 'soft_affinity_weight_multiplier',
    }),
  },
  reads: ['instance_group', 'scheduler_hints.group'],
  applies: ({ instanceGroup }) => instanceGroup?.policy === 'soft-affinity',
  multiplier: (options) => options.soft_affinity_weight_multiplier,
  weigh: (host, { instanceGroup: group }) =>
    group?.policy === 'soft-affinity' ? membersOnHost(host, group).length : 0,
});
