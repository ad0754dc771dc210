// Ephemeral encryption: requires hosts that encrypt local disks in the requested format. Always on.

import { definePrefilter } from '../pipeline/define-prefilter';
import { agreedBoolean, agreedValue } from '../request/flavor-image';
import { ENCRYPTION_FORMATS } from '../request/known-values';

const KEY = 'hw:ephemeral_encryption';
const TRAIT = 'COMPUTE_EPHEMERAL_ENCRYPTION';

export const ephemeralEncryptionPrefilter = definePrefilter({
  name: 'EphemeralEncryptionPrefilter',
  summary:
    'Requires COMPUTE_EPHEMERAL_ENCRYPTION of the host, and the trait of the format, when encryption is asked for.',
  apply: (spec, { novaCompat, add, nothing }) => {
    if (!agreedBoolean(spec, KEY, novaCompat)) return nothing('ephemeral encryption is not asked for');
    const format = agreedValue(spec, `${KEY}_format`, ENCRYPTION_FORMATS);
    if (format === null) return add({ rootRequired: [TRAIT] }, 'ephemeral encryption');
    return add({ rootRequired: [TRAIT, `${TRAIT}_${format.toUpperCase()}`] }, `ephemeral encryption, format ${format}`);
  },
});
