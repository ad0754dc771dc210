// What lint says of a flavor or an image, and what flavor and image share of it: names of traits.

import { isCustomName } from '../../domain/names';
import { STANDARD_TRAITS } from '../../domain/standard-traits';

/** `error`: a request with it will be refused, or reject every host. `warning`: it probably means something else. */
export interface LintProblem {
  readonly field: string;
  readonly why: string;
  readonly severity: 'error' | 'warning';
}

export const error = (field: string, why: string): LintProblem => ({ field, why, severity: 'error' });
export const warning = (field: string, why: string): LintProblem => ({ field, why, severity: 'warning' });

const STANDARD: ReadonlySet<string> = new Set(STANDARD_TRAITS);
const TRAIT_NAME = /^[A-Z0-9_]{1,255}$/;

/** A name that no provider can have is an error; one that is merely unknown here may be known elsewhere. */
export function traitNameProblems(field: string, name: string): readonly LintProblem[] {
  if (STANDARD.has(name) || isCustomName(name)) return [];
  if (!TRAIT_NAME.test(name)) return [error(field, `names '${name}', which is no name of a trait`)];
  return [warning(field, `names '${name}', which is no standard trait and does not start with CUSTOM_`)];
}
