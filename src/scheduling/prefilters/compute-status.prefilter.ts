// Compute status: leaves out hosts whose compute service is disabled. Always on.

import { definePrefilter } from '../pipeline/define-prefilter';

export const computeStatusPrefilter = definePrefilter({
  name: 'ComputeStatusPrefilter',
  summary: 'Forbids COMPUTE_STATUS_DISABLED on the host.',
  apply: (_spec, { add }) => add({ rootForbidden: ['COMPUTE_STATUS_DISABLED'] }, 'always'),
});
