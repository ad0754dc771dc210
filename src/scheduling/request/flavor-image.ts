// What flavor and image say together: an extra spec `hw:x` and the image property `hw_x` mean the same. Where both are
// set they must agree; a difference is a conflict by name, never a choice.

import {
  contradiction,
  extraSpec,
  extraSpecField,
  imageProperty,
  imagePropertyField,
  valueAmong,
} from '../numa/cpu-policy';
import { booleanOf } from './boolean-text';
import { invalid } from './request-refusal';
import type { Flavor, Image } from './request-spec';

/** Both sources of a setting. */
export interface FlavorAndImage {
  readonly flavor: Flavor;
  readonly image: Image | null;
}

/** The image property that means the same as an extra spec. */
export const propertyOf = (key: string): string => key.replace(':', '_');

/** The paths of a setting where it is made: the flavor's, the image's or both. */
export const fieldsOf = ({ flavor, image }: FlavorAndImage, key: string): readonly string[] => [
  ...(extraSpec(flavor, key) === null ? [] : [extraSpecField(key)]),
  ...(imageProperty(image, propertyOf(key)) === null ? [] : [imagePropertyField(propertyOf(key))]),
];

/** The one value of a setting; null when neither source names it. A value that is none of `values` is refused. */
export function agreedValue<const Value extends string>(
  { flavor, image }: FlavorAndImage,
  key: string,
  values: readonly Value[],
): Value | null {
  const ours = valueAmong(extraSpec(flavor, key), values, extraSpecField(key));
  const theirs = valueAmong(imageProperty(image, propertyOf(key)), values, imagePropertyField(propertyOf(key)));
  if (ours !== null && theirs !== null && ours !== theirs) throw conflict(key, ours, theirs);
  return ours ?? theirs;
}

/** The truth of a setting, false when neither source names it. With `lenient`, text that is no boolean counts as false. */
export function agreedBoolean({ flavor, image }: FlavorAndImage, key: string, lenient: boolean): boolean {
  const read = (text: string | null, field: string): boolean | null => {
    if (text === null) return null;
    const value = booleanOf(text);
    if (value === null && !lenient) throw invalid(field, `must be true or false, not '${text}'`);
    return value ?? false;
  };
  const ours = read(extraSpec(flavor, key), extraSpecField(key));
  const theirs = read(imageProperty(image, propertyOf(key)), imagePropertyField(propertyOf(key)));
  if (ours !== null && theirs !== null && ours !== theirs) throw conflict(key, String(ours), String(theirs));
  return ours ?? theirs ?? false;
}

const conflict = (key: string, ours: string, theirs: string): Error =>
  contradiction(propertyOf(key), theirs, key, ours);
