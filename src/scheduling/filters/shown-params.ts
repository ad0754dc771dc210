// Cuts what a verdict shows to its bounds. A cut list says how many items are missing, a cut text that it goes on.

import { PARAM_ITEMS_SHOWN, PARAM_TEXT_SHOWN } from '../pipeline/limits';

/** The first items, and how many more there are. */
export function shownList(items: Iterable<string>): readonly string[] {
  const all = [...items];
  if (all.length <= PARAM_ITEMS_SHOWN) return all.map(shownText);
  return [...all.slice(0, PARAM_ITEMS_SHOWN).map(shownText), `${all.length - PARAM_ITEMS_SHOWN} more`];
}

/** The beginning of a text. */
export const shownText = (text: string): string =>
  text.length <= PARAM_TEXT_SHOWN ? text : `${text.slice(0, PARAM_TEXT_SHOWN)}…`;
