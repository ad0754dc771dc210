// TPM secret security: the flavor defines who can read the stored secret of an emulated TPM. Always on.

import { extraSpec } from '../numa/cpu-policy';
import { definePrefilter } from '../pipeline/define-prefilter';
import { agreedValue } from '../request/flavor-image';
import { TPM_SECRET_LEVELS, TPM_VERSIONS } from '../request/known-values';

const LEVELS: ReadonlySet<string> = new Set(TPM_SECRET_LEVELS);

export const tpmSecretSecurityPrefilter = definePrefilter({
  name: 'TpmSecretSecurityPrefilter',
  summary: 'Requires COMPUTE_SECURITY_TPM_SECRET_SECURITY_<LEVEL> of the host when an emulated TPM is asked for.',
  refusals: { unsupported_level: "TPM secret security '{level}' is not supported." },
  apply: (spec, { add, nothing, refuse }) => {
    if (agreedValue(spec, 'hw:tpm_version', TPM_VERSIONS) === null) return nothing('no TPM is asked for');
    const level = extraSpec(spec.flavor, 'hw:tpm_secret_security') ?? 'user';
    if (!LEVELS.has(level)) return refuse('unsupported_level', { level });
    return add(
      { rootRequired: [`COMPUTE_SECURITY_TPM_SECRET_SECURITY_${level.toUpperCase()}`] },
      `TPM secret security ${level}`,
    );
  },
});
