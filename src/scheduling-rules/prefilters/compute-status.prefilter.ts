// Compute status: excludes hosts whose compute service is disabled. Always on.

import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { definePrefilter } from '../pipeline/define-prefilter';

export const computeStatusPrefilter = definePrefilter({
  name: 'ComputeStatusPrefilter',
  summary: `Forbids ${DISABLED_TRAIT} on the host.`,
  apply: (_spec, { add }) => add({ rootForbidden: [DISABLED_TRAIT] }, 'always'),
});
