// Accelerators: a flavor with a device profile needs hosts that can attach accelerators. Always on.

import { extraSpec } from '../numa/cpu-policy';
import { definePrefilter } from '../pipeline/define-prefilter';

export const acceleratorsPrefilter = definePrefilter({
  name: 'AcceleratorsPrefilter',
  summary: 'Requires COMPUTE_ACCELERATORS of the host when the flavor has a device profile.',
  reads: ['flavor.extra_specs.accel:device_profile'],
  apply: ({ flavor }, { add, nothing }) => {
    const profile = extraSpec(flavor, 'accel:device_profile');
    if (profile === null) return nothing('the flavor has no device profile');
    return add({ rootRequired: ['COMPUTE_ACCELERATORS'] }, `flavor accel:device_profile ${profile}`);
  },
});
