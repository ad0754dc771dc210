// Bound parts: a filter, weigher or prefilter with its option values. Bound once at the start.

import type { OptionDeclarations, OptionValues } from '../../platform/values/options';
import type { Filter } from './define-filter';
import type { Prefilter } from './define-prefilter';
import type { Weigher } from './define-weigher';
import type { ConfiguredValues } from './options';
import { resolveOptions } from './options';

export interface Bound<Part> {
  readonly part: Part;
  readonly values: OptionValues<OptionDeclarations>;
}
export type BoundFilter = Bound<Filter>;
export type BoundWeigher = Bound<Weigher>;
export type BoundPrefilter = Bound<Prefilter>;

/** Binds a part to its values; throws `InvalidOption` for an invalid value. */
export function bind<Part extends { readonly options: OptionDeclarations }>(
  part: Part,
  values: ConfiguredValues,
): Bound<Part> {
  return Object.freeze({ part, values: resolveOptions(part.options, values) });
}
