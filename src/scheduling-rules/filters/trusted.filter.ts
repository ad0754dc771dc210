// TrustedFilter: hosts with the attestation level of the flavor. Legacy, off by default. Nova queried an attestation
// server; here the host reports its level in its stats, under the name of the extra spec; the default is `unknown`.

import { defineFilter } from '../pipeline/define-filter';

const KEY = 'trust:trusted_host';
const UNKNOWN = 'unknown';

export const trustedFilter = defineFilter({
  name: 'TrustedFilter',
  summary: 'Rejects hosts whose stats do not report the attestation level trust:trusted_host that the flavor asks for.',
  rejections: { other_trust_level: 'the flavor asks for trust level {wanted}; the host reports {found}' },
  once: true,
  reads: [`flavor.extra_specs.${KEY}`],
  applies: ({ flavor }) => (flavor.extraSpecs[KEY] ?? '') !== '',
  check: ({ stats }, { flavor }, { pass, reject }) => {
    const requiredTrust = flavor.extraSpecs[KEY] ?? '';
    const found = stats[KEY] ?? UNKNOWN;
    return requiredTrust === '' || found === requiredTrust
      ? pass
      : reject('other_trust_level', { wanted: requiredTrust, found });
  },
});
