// Normalises and checks typed names of custom traits and resource classes.

const LONGEST = 255;

/** Converts to a valid name: upper case, `CUSTOM_` prefix, each run of other characters as one underscore. */
export function customName(typed: string): string {
  const name = typed
    .trim()
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_');
  return name === '' || name.startsWith('CUSTOM_') ? name : `CUSTOM_${name}`;
}

/** Why a name is invalid; undefined if it is valid. */
export function faultOfName(name: string, taken: readonly string[]): string | undefined {
  if (name === '' || name === 'CUSTOM_') return 'A name is needed.';
  if (name.length > LONGEST) return `The name is longer than ${LONGEST} characters.`;
  return taken.includes(name) ? 'There is one of this name already.' : undefined;
}
