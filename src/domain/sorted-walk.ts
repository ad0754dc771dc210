// Sorting that can be put down: the engine's own sort on pieces, which are merged in steps.
import type { Walk } from './walk';

/** Entries sorted at once, or merged between two chances to stop. */
const ENTRIES_PER_STEP = 1_000;

/** The entries in ascending order; those that compare as equal stay in the order in which they came. */
export function* sortedWalk<T>(entries: readonly T[], compare: (a: T, b: T) => number): Walk<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < entries.length; at += ENTRIES_PER_STEP) {
    if (at > 0) yield;
    runs.push(entries.slice(at, at + ENTRIES_PER_STEP).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [first = [], second] = runs.slice(at, at + 2);
      merged.push(second === undefined ? first : yield* mergedWalk(first, second, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedWalk<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Walk<readonly T[]> {
  const merged: T[] = [];
  const [left, right] = [first.values(), second.values()];
  let [a, b] = [left.next(), right.next()];
  while (a.done !== true || b.done !== true) {
    if (b.done === true || (a.done !== true && compare(a.value, b.value) <= 0)) {
      if (a.done !== true) merged.push(a.value);
      a = left.next();
    } else {
      merged.push(b.value);
      b = right.next();
    }
    if (merged.length % ENTRIES_PER_STEP === 0) yield;
  }
  return merged;
}
