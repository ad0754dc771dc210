// Virtio sound: only the sound model virtio needs a host that supports it. Always on.

import { definePrefilter } from '../pipeline/define-prefilter';
import { agreedValue } from '../request/flavor-image';
import { SOUND_MODELS } from '../request/known-values';

export const virtioSoundPrefilter = definePrefilter({
  name: 'VirtioSoundPrefilter',
  summary: 'Requires COMPUTE_SOUND_MODEL_VIRTIO of the host for the sound model virtio.',
  apply: (spec, { add, nothing }) => {
    const model = agreedValue(spec, 'hw:sound_model', SOUND_MODELS);
    if (model === null) return nothing('no sound model is asked for');
    if (model !== 'virtio') return nothing(`every host has sound model ${model}`);
    return add({ rootRequired: ['COMPUTE_SOUND_MODEL_VIRTIO'] }, 'sound model virtio');
  },
});
