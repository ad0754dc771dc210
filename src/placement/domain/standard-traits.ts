// The standard traits of every deployment. No trait is ever removed from the list.
import STANDARD_TRAIT_NAMES from './standard-trait-names.json';

/** Set on a root provider whose compute service is disabled. */
export const DISABLED_TRAIT = 'COMPUTE_STATUS_DISABLED';

export const STANDARD_TRAITS: readonly string[] = STANDARD_TRAIT_NAMES;
