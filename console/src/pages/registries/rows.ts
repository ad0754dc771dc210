// The rows of a registry, sorted and searched as one types.
import { byName } from '../../shown/by-name';

export type SortValue = string | number | null;

/** In the order of `sort`, a leading - descending; what has no value comes last, equals stay as they were. */
export function sorted<T>(rows: readonly T[], valueOf: (row: T) => SortValue, isDown: boolean): readonly T[] {
  const factor = isDown ? -1 : 1;
  return rows
    .map((row) => [row, valueOf(row)] as const)
    .sort(([, a], [, b]) => {
      if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
      return factor * compared(a, b);
    })
    .map(([row]) => row);
}

const compared = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byName(String(a), String(b));

/** Rows that have every word somewhere in their text. */
export function found<T>(rows: readonly T[], textOf: (row: T) => string, sought: string): readonly T[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
