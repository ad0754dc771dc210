// Truncates the parameters of a verdict. A truncated list ends with the number of missing items, a text with an
// ellipsis.

import { PARAM_ITEMS_SHOWN, PARAM_TEXT_SHOWN } from '../pipeline/limits';

/** The first items, and the number of the rest. */
export function shownList(items: Iterable<string>): readonly string[] {
  const all = [...items];
  if (all.length <= PARAM_ITEMS_SHOWN) return all.map(shownText);
  return [...all.slice(0, PARAM_ITEMS_SHOWN).map(shownText), `${all.length - PARAM_ITEMS_SHOWN} more`];
}

/** The beginning of a text. */
export const shownText = (text: string): string =>
  text.length <= PARAM_TEXT_SHOWN ? text : `${text.slice(0, PARAM_TEXT_SHOWN)}…`;
