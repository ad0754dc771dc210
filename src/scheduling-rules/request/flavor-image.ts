// Combined settings of flavor and image: an extra spec `hw:x` and the image property `hw_x` have the same meaning. If
// both are set they must be equal; otherwise the request is refused with the field.

import {
  contradiction,
  extraSpec,
  extraSpecField,
  imageProperty,
  imagePropertyField,
  valueAmong,
} from '../numa/cpu-policy';
import { booleanOf } from '../request-spec/boolean-text';
import { invalid } from '../request-spec/request-refusal';
import type { Flavor, Image } from '../request-spec/request-spec';

/** Both sources of a setting. */
export interface FlavorAndImage {
  readonly flavor: Flavor;
  readonly image: Image | null;
}

/** The image property that corresponds to an extra spec. */
export const propertyOf = (key: string): string => key.replace(':', '_');

/** The paths that set a setting: the flavor's, the image's or both. */
export const fieldsOf = ({ flavor, image }: FlavorAndImage, key: string): readonly string[] => [
  ...(extraSpec(flavor, key) === null ? [] : [extraSpecField(key)]),
  ...(imageProperty(image, propertyOf(key)) === null ? [] : [imagePropertyField(propertyOf(key))]),
];

/** The value of a setting; null if neither source sets it. A value outside `values` is refused. */
export function agreedValue<const Value extends string>(
  { flavor, image }: FlavorAndImage,
  key: string,
  values: readonly Value[],
): Value | null {
  const fromFlavor = valueAmong(extraSpec(flavor, key), values, extraSpecField(key));
  const fromImage = valueAmong(imageProperty(image, propertyOf(key)), values, imagePropertyField(propertyOf(key)));
  if (fromFlavor !== null && fromImage !== null && fromFlavor !== fromImage) throw conflict(key, fromFlavor, fromImage);
  return fromFlavor ?? fromImage;
}

/** The boolean value of a setting, by default false. With `lenient`, text that is not a boolean counts as false. */
export function agreedBoolean({ flavor, image }: FlavorAndImage, key: string, lenient: boolean): boolean {
  const read = (text: string | null, field: string): boolean | null => {
    if (text === null) return null;
    const value = booleanOf(text);
    if (value === null && !lenient) throw invalid(field, `must be true or false, not '${text}'`);
    return value ?? false;
  };
  const fromFlavor = read(extraSpec(flavor, key), extraSpecField(key));
  const fromImage = read(imageProperty(image, propertyOf(key)), imagePropertyField(propertyOf(key)));
  if (fromFlavor !== null && fromImage !== null && fromFlavor !== fromImage)
    throw conflict(key, String(fromFlavor), String(fromImage));
  return fromFlavor ?? fromImage ?? false;
}

const conflict = (key: string, fromFlavor: string, fromImage: string): Error =>
  contradiction(propertyOf(key), fromImage, key, fromFlavor);
