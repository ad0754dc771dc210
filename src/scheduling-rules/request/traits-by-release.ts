// Traits that nova-compute reports only since some release. A setting for a feature, such as a TPM, implies them, but
// hosts of older computes have the feature without the trait.

/** Major version of nova: 26 is Zed. */
export type NovaRelease = number;

/** No trait of the table is newer. */
export const NEWEST_COMPUTES: NovaRelease = 33;

const REPORTED_SINCE: Readonly<Record<string, NovaRelease>> = {
  COMPUTE_SECURITY_TPM_TIS: 30,
  COMPUTE_SECURITY_TPM_CRB: 30,
  COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER: 33,
  COMPUTE_SECURITY_TPM_SECRET_SECURITY_HOST: 33,
  COMPUTE_SECURITY_TPM_SECRET_SECURITY_DEPLOYMENT: 33,
};

/** False: a host of this release can have the feature without the trait, so the trait must not be required. */
export const isReportedBy = (release: NovaRelease, trait: string): boolean => (REPORTED_SINCE[trait] ?? 0) <= release;
