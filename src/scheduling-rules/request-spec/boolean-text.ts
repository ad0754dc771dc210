// Boolean texts in extra specs, image properties and aliases.

export const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 't', 'true', 'on', 'y', 'yes']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'f', 'false', 'off', 'n', 'no']);

/** Parses a boolean text of any case; null for other text. */
export function booleanOf(text: string): boolean | null {
  const lower = text.trim().toLowerCase();
  if (TRUE_TEXTS.has(lower)) return true;
  return FALSE_TEXTS.has(lower) ? false : null;
}
