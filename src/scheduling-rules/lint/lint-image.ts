// Checks an image for settings that requests will be refused for, or that no part reads.

import { problemOfVersionPredicate } from '../filters/version-condition';
import { imagePropertyField } from '../numa/cpu-policy';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import { bareRequest } from '../request-spec/bare-request';
import type { Flavor, Image } from '../request-spec/request-spec';
import { imagePropertyProblem, isKnownImageProperty, readImageProperties } from '../request/image-properties';
import { DISK_FORMATS } from '../request/known-values';
import { TRAIT_PREFIX, traitProblem } from '../request/placement-extra-specs';
import { buildResourceRequest } from '../request/resource-request';
import { problemsOfRefusal } from './lint-flavor';
import type { LintProblem } from './lint-problem';
import { error, traitNameProblems, warning } from './lint-problem';

const HV_VERSION = 'img_hv_requested_version';

/** Problems in the order of the properties, then of the image as a whole. */
export function problemsOfImage(image: Image): readonly LintProblem[] {
  const single = Object.entries(image.properties).flatMap(([name, value]) => propertyProblems(name, value));
  const isBroken = single.some(({ severity }) => severity === 'error');
  return [...diskFormatProblems(image), ...single, ...(isBroken ? [] : wholeProblems(image))];
}

function diskFormatProblems({ diskFormat }: Image): readonly LintProblem[] {
  if (diskFormat === null || (DISK_FORMATS as readonly string[]).includes(diskFormat.toLowerCase())) return [];
  return [warning('image.disk_format', `no trait represents '${diskFormat}', so it excludes no host`)];
}

function propertyProblems(name: string, value: string): readonly LintProblem[] {
  const field = imagePropertyField(name);
  if (name.startsWith(TRAIT_PREFIX)) {
    const isCondition = value === 'required' || value === 'forbidden';
    const problems = traitNameProblems(field, name.slice(TRAIT_PREFIX.length));
    return isCondition ? problems : [...problems, error(field, traitProblem(value))];
  }
  const why = imagePropertyProblem(name, value) ?? versionProblem(name, value);
  return why === null ? [] : [error(field, why)];
}

function versionProblem(name: string, value: string): string | null {
  if (name !== HV_VERSION && name !== 'hypervisor_version_requires') return null;
  return value.trim() === '' ? null : problemOfVersionPredicate(value);
}

/** A minimal flavor. */
const ANY_FLAVOR: Flavor = {
  name: null,
  vcpus: 1,
  memoryMb: 1,
  rootGb: 0,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs: {},
};

/** Unknown names, and problems for which a request with any flavor would be refused. */
function wholeProblems(image: Image): readonly LintProblem[] {
  const context = { isRead: isKnownImageProperty, novaCompat: false };
  const { properties, ignored } = readImageProperties(image.properties, context);
  const read = { ...image, properties };
  const withoutEffect = [...ignored];
  const attempt = (): unknown =>
    withoutEffect.push(
      ...buildResourceRequest(bareRequest(ANY_FLAVOR, read), NO_ADDITIONS, { maxPlacementResults: 1 }).ignored,
    );
  // A refusal at the flavor concerns only the placeholder.
  const refusals = problemsOfRefusal(attempt, () => false).filter(({ field }) => field.startsWith('image.'));
  return [...withoutEffect.map(({ field, why }) => warning(field, why)), ...refusals];
}
