// Keys and values as rows of a form: metadata, extra specs, properties.

export interface Pair {
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

let made = 0;

export const newPair = (key = '', value = ''): Pair => ({ id: `pair-${(made += 1)}`, key, value });

export const pairsOf = (record: Readonly<Record<string, string>>): Pair[] =>
  Object.entries(record).map(([key, value]) => newPair(key, value));

/** For example `key=value`. */
export const pairTexts = (record: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(record).map(([key, value]) => `${key}=${value}`);

/** Rows without a key are not filled in yet and are ignored. */
export const recordOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]));

/** The merge patch from `before` to `after`: null removes a key; unchanged keys are left out. */
export function changesBetween(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const key of Object.keys(before)) if (!(key in after)) changes[key] = null;
  for (const [key, value] of Object.entries(after)) if (before[key] !== value) changes[key] = value;
  return changes;
}

/** The index of a row whose key occurs before; the later row would silently win. */
export function twiceIn(pairs: readonly Pair[]): number | undefined {
  const seen = new Set<string>();
  for (const [at, { key }] of pairs.entries()) {
    if (key.trim() !== '' && seen.has(key.trim())) return at;
    seen.add(key.trim());
  }
  return undefined;
}
