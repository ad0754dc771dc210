// `$name`, `${name}` and `${group.name}` inside values, with the rules of oslo.config. `$$` and `\$` are a dollar sign;
// a dollar sign before other text is kept.

import { PROCESS_LIMITS } from './limits/processes';

/** The text of another option, looked up from the value's group; undefined if the option does not exist. */
type TextLookup = (group: string | null, name: string) => string | undefined;

type Interpolated =
  | { readonly ok: true; readonly text: string }
  /** `reference` is the unresolved reference; messages omit it for secret values. */
  | { readonly ok: false; readonly reference: string; readonly problem: string };

const REFERENCE = /\$\$|\\\$|\$(?:\{([A-Za-z_][\w.]*)\}|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*))/g;

class Unresolved extends Error {
  constructor(
    readonly reference: string,
    message: string,
  ) {
    super(message);
  }
}

const replaceAll = (text: string, lookup: TextLookup, depth: number): string =>
  text.replace(REFERENCE, (whole: string, braced: string | undefined, bare: string | undefined) => {
    const reference = braced ?? bare;
    if (reference === undefined) return '$';
    if (depth >= PROCESS_LIMITS.interpolationDepth)
      throw new Unresolved(whole, 'options refer to each other in a circle');
    const dot = reference.indexOf('.');
    const qualified = dot < 0 ? undefined : lookup(reference.slice(0, dot), reference.slice(dot + 1));
    const found = qualified ?? lookup(null, reference);
    if (found === undefined) throw new Unresolved(whole, 'there is no option of that name; write $$ for a dollar sign');
    return replaceAll(found, lookup, depth + 1);
  });

/** Replaces every reference, also inside replaced text; the depth is limited to detect cycles. */
export const interpolate = (text: string, lookup: TextLookup): Interpolated => {
  try {
    return { ok: true, text: replaceAll(text, lookup, 0) };
  } catch (error) {
    if (error instanceof Unresolved) return { ok: false, reference: error.reference, problem: error.message };
    throw error;
  }
};
