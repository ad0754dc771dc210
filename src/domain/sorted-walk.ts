// Sorting as a generator: an array's own sort would block the event loop for a long array.
import type { Walk } from './walk';

/** Items sorted or merged between two yields. */
export const SORTED_PER_STEP = 2_000;

type Compare<T> = (first: T, second: T) => number;

export const ascending: Compare<number> = (first, second) => first - second;

/** The items in order; the sort is stable. */
export function* sortedWalk<T>(items: readonly T[], compare: Compare<T>): Walk<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += SORTED_PER_STEP) {
    if (at > 0) yield;
    runs.push(items.slice(at, at + SORTED_PER_STEP).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergedWalk(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists. Usually one list is entirely above the other, and they are concatenated. */
export function* mergedWalk<T>(first: readonly T[], second: readonly T[], compare: Compare<T>): Walk<readonly T[]> {
  if (second.length === 0) return first;
  if (first.length === 0) return second;
  if (compare(first.at(-1) as T, second[0] as T) <= 0) return first.concat(second);
  const merged: T[] = [];
  let next = 0;
  for (const item of first) {
    for (; next < second.length && compare(second[next] as T, item) < 0; next += 1) {
      merged.push(second[next] as T);
      if (merged.length % SORTED_PER_STEP === 0) yield;
    }
    merged.push(item);
    if (merged.length % SORTED_PER_STEP === 0) yield;
  }
  for (; next < second.length; next += 1) {
    merged.push(second[next] as T);
    if (merged.length % SORTED_PER_STEP === 0) yield;
  }
  return merged;
}
