// Packed virtqueues: requires hosts whose virtio network devices support them. Always on.

import { definePrefilter } from '../pipeline/define-prefilter';
import { agreedBoolean } from '../request/flavor-image';

const KEY = 'hw:virtio_packed_ring';

export const packedVirtqueuesPrefilter = definePrefilter({
  name: 'PackedVirtqueuesPrefilter',
  summary: 'Requires COMPUTE_NET_VIRTIO_PACKED of the host when flavor or image asks for packed virtqueues.',
  apply: (spec, { novaCompat, add, nothing }) =>
    agreedBoolean(spec, KEY, novaCompat)
      ? add({ rootRequired: ['COMPUTE_NET_VIRTIO_PACKED'] }, 'packed virtqueues are asked for')
      : nothing('packed virtqueues are not asked for'),
});
