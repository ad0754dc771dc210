// Problems of a flavor or an image, and the shared check of trait names.

import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { isCustomName } from '../../platform/values/names';

/**
 * `error`: requests will be refused, or reject every host. `warning`: it probably has another meaning than intended.
 */
export interface LintProblem {
  readonly field: string;
  readonly why: string;
  readonly severity: 'error' | 'warning';
}

export const error = (field: string, why: string): LintProblem => ({ field, why, severity: 'error' });
export const warning = (field: string, why: string): LintProblem => ({ field, why, severity: 'warning' });

const STANDARD: ReadonlySet<string> = new Set(STANDARD_TRAITS);
const TRAIT_NAME = /^[A-Z0-9_]{1,255}$/;

/** A name that is invalid for any trait is an error; an unknown name is a warning. */
export function traitNameProblems(field: string, name: string): readonly LintProblem[] {
  if (STANDARD.has(name) || isCustomName(name)) return [];
  if (!TRAIT_NAME.test(name)) return [error(field, `names '${name}', which is no name of a trait`)];
  return [warning(field, `names '${name}', which is no standard trait and does not start with CUSTOM_`)];
}
