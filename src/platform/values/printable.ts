// Printable text, as nova's names define it: without control, format, private and unassigned characters, and without
// separators of lines and paragraphs. Such characters move the cursor, forge lines or turn the direction of text.

export const PRINTABLE = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** As in JSON, which stays valid and equal: `\u001b`. */
const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** Text of others in one line of a terminal: unprintable characters are escaped, line breaks too. */
export const printableLine = (text: string): string => text.replaceAll(UNPRINTABLE, escaped);

/** The same for whole output, which keeps its line breaks. */
export const printableLines = (text: string): string => text.replaceAll(UNPRINTABLE_IN_LINES, escaped);

/** The message of an error for a terminal; each of its lines begins with the name of the command. */
export const errorLines = (error: unknown): string =>
  printableLines(error instanceof Error ? error.message : String(error)).replaceAll(/^(?=.)/gm, 'berth: ') + '\n';

/** A copy of a document in which all texts are printable lines. The `stack` of an error keeps its lines. */
export function printableCopy(value: unknown, key?: string): unknown {
  if (typeof value === 'string') return key === 'stack' ? printableLines(value) : printableLine(value);
  if (Array.isArray(value)) return value.map((entry) => printableCopy(entry));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [printableLine(name), printableCopy(of, name)]));
}
