// Extra specs for Placement: `resources[S]:CLASS=N`, `trait[S]:NAME=required|forbidden`, `group_policy`; and the
// `trait:` properties of images. Entries that nova drops with a log line are refused with their field.

import { MAX_INT } from '../../placement/domain/inventory';
import { STANDARD_RESOURCE_CLASSES } from '../../placement/domain/standard-resource-classes';
import { isCustomName } from '../../platform/values/names';
import { nearestName } from '../../platform/values/nearest-name';
import { extraSpecField, imagePropertyField } from '../numa/cpu-policy';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';
import type { RequestDraft } from './request-draft';

const STANDARD: ReadonlySet<string> = new Set(STANDARD_RESOURCE_CLASSES);
/** Characters of a name that is compared with all standard ones. */
const NAME_COMPARED = 64;
const PLACEMENT_KEY = /^(resources|trait)([A-Za-z0-9_-]{1,64})?:(.*)$/s;
const LOOKS_LIKE_ONE = /^(resources|trait)[^:]*:/;
/** Prefix of extra specs, image properties and aggregate metadata for a trait. */
export const TRAIT_PREFIX = 'trait:';

/** A parsed extra spec for Placement. */
interface PlacementKey {
  readonly kind: 'resources' | 'trait';
  readonly suffix: string;
  readonly name: string;
}

/** Null: not for Placement. A text: the error in a malformed key. */
export function parsePlacementKey(key: string): PlacementKey | string | null {
  const [, kind, suffix = '', name = ''] = PLACEMENT_KEY.exec(key) ?? [];
  if (kind === 'resources' || kind === 'trait') return { kind, suffix, name };
  return LOOKS_LIKE_ONE.test(key) ? 'must have a group suffix of 1 to 64 letters, digits, underscores or dashes' : null;
}

/** The problem with a resource class of a request, or null. */
export function resourceClassProblem(name: string): string | null {
  if (STANDARD.has(name) || isCustomName(name)) return null;
  const near = name.length > NAME_COMPARED ? undefined : nearestName(name, STANDARD_RESOURCE_CLASSES);
  const nearest = near === undefined ? '' : ` (the nearest is ${near})`;
  return `names '${name}', which is no standard resource class${nearest} and does not start with CUSTOM_`;
}

/** The amount, or null if the text is not an amount. */
export function amountOfText(text: string): number | null {
  const number = /^\+?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number <= MAX_INT ? number : null;
}

export const amountProblem = (text: string): string => `must be an integer from 0 to ${MAX_INT}, not '${text}'`;
export const traitProblem = (text: string): string => `must be required or forbidden, not '${text}'`;
export const policyProblem = (text: string): string => `must be none or isolate, not '${text}'`;

/**
 * Steps 2 and 4: flavor, then image. Returns the number of suffixed groups of the flavor, including dropped entries.
 */
export function readPlacementExtraSpecs(draft: RequestDraft, flavor: Flavor, image: Image | null): number {
  for (const [key, value] of Object.entries(flavor.extraSpecs)) {
    if (key === 'group_policy') readGroupPolicy(draft, value);
    else readPlacementKey(draft, key, value);
  }
  const fromFlavor = draft.suffixes().length;
  for (const [property, value] of Object.entries(image?.properties ?? {})) {
    if (property.startsWith(TRAIT_PREFIX)) readImageTrait(draft, property, value);
  }
  return fromFlavor;
}

function readGroupPolicy(draft: RequestDraft, value: string): void {
  if (value === 'none' || value === 'isolate') draft.groupPolicy = value;
  else draft.reject(extraSpecField('group_policy'), policyProblem(value));
}

function readPlacementKey(draft: RequestDraft, key: string, value: string): void {
  const field = extraSpecField(key);
  const parsed = parsePlacementKey(key);
  if (parsed === null) return;
  if (typeof parsed === 'string') return draft.reject(field, parsed);
  const { kind, suffix, name } = parsed;
  // The group is created even if nova would drop the entry, because it counts as one of the flavor's groups.
  draft.group(suffix);
  if (kind === 'resources') readAmount(draft, { field, suffix, name }, value);
  else if (value === 'required' || value === 'forbidden') {
    if (name === '') throw invalid(field, 'names no trait');
    draft.addTrait(suffix, { name, kind: value, field });
  } else draft.reject(field, traitProblem(value));
}

interface AmountOf {
  readonly field: string;
  readonly suffix: string;
  readonly name: string;
}

function readAmount(draft: RequestDraft, { field, suffix, name }: AmountOf, value: string): void {
  const problem = resourceClassProblem(name);
  if (problem !== null) {
    // Nova sends a malformed CUSTOM_ name and Placement refuses the query, so it is never dropped.
    if (name.startsWith('CUSTOM_')) throw invalid(field, `names '${name}', which is no name of a resource class`);
    return draft.reject(field, problem);
  }
  const amount = amountOfText(value);
  if (amount === null) return draft.reject(field, amountProblem(value));
  draft.group(suffix).resources.set(name, amount);
}

/** `forbidden` on an image is honoured, as some manuals document; nova drops it silently. */
function readImageTrait(draft: RequestDraft, property: string, value: string): void {
  const field = imagePropertyField(property);
  const name = property.slice(TRAIT_PREFIX.length);
  if (value === 'forbidden' && draft.lenient)
    return draft.reject(field, 'must be required: forbidden traits of images are not honoured');
  if (value !== 'required' && value !== 'forbidden') return draft.reject(field, traitProblem(value));
  if (name === '') throw invalid(field, 'names no trait');
  draft.addTrait('', { name, kind: value, field });
}
