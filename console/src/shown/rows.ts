// Sorts and searches the rows of a registry.
import { byName } from './by-name';

export type SortValue = string | number | null;

/** Sorts by value; rows without a value come last; equal rows keep their order. */
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

/** Rows whose text contains every word. */
export function found<T>(rows: readonly T[], textOf: (row: T) => string, searched: string): readonly T[] {
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
