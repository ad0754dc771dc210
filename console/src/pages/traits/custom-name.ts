// Names of custom traits and resource classes, as one types them.

const LONGEST = 255;

/** What was typed as a name that the service takes: capitals, the prefix before, anything between words one line. */
export function customName(typed: string): string {
  const name = typed
    .trim()
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, '_');
  return name === '' || name.startsWith('CUSTOM_') ? name : `CUSTOM_${name}`;
}

/** What speaks against a name, or undefined. */
export function faultOfName(name: string, taken: readonly string[]): string | undefined {
  if (name === '' || name === 'CUSTOM_') return 'A name is needed.';
  if (name.length > LONGEST) return `The name is longer than ${LONGEST} characters.`;
  return taken.includes(name) ? 'There is one of this name already.' : undefined;
}
