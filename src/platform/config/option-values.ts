// Converts texts to values. A text that does not convert is kept, and the option's rule then reports it; the conversion
// itself checks nothing.

import type { OptionRow, OptionValue } from '../values/options';

const TRUE_WORDS: ReadonlySet<string> = new Set(['true', '1', 'yes', 'on']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['false', '0', 'no', 'off']);

const toBoolean = (text: string): boolean | string => {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : text;
};

const toNumber = (text: string, pattern: RegExp): number | string => (pattern.test(text.trim()) ? Number(text) : text);

const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const splitList = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** The entries of a repeatable option in one environment variable: a JSON array of texts, or comma-separated texts. */
export const splitRepeatable = (text: string): readonly string[] => {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return [trimmed];
  if (!trimmed.startsWith('[')) return splitList(trimmed);
  try {
    const parsed: unknown = JSON.parse(trimmed);
    if (Array.isArray(parsed)) {
      return parsed.map((entry: unknown) => (typeof entry === 'string' ? entry : JSON.stringify(entry)));
    }
  } catch {
    // Not JSON: a text that starts with a bracket.
  }
  return [trimmed];
};

/**
 * The value of an option from all its occurrences. The last one counts, except for a repeatable option, which uses all.
 * An empty text unsets an option whose default is null.
 */
export const convertTexts = (row: OptionRow, texts: readonly string[]): OptionValue => {
  if (row.kind === 'multi') return texts.filter((text) => text.trim() !== '');
  const last = texts.at(-1) ?? '';
  const text = row.synonyms?.[last.trim()] ?? last;
  if (row.default === null && text.trim() === '') return null;
  switch (row.kind) {
    case 'boolean':
      return toBoolean(text);
    case 'integer':
      return toNumber(text, INTEGER);
    case 'number':
      return toNumber(text, FLOAT);
    case 'list':
      return splitList(text);
    case 'choice':
      return text.trim();
    case 'text':
      return text;
  }
};

/** The text that converts back to the value, for documents and references from other options. */
export const valueText = (value: OptionValue): string => {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(',');
  // Invalid values are only displayed.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
