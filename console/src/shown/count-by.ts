// Counts and groups of equal values.

/** In the order of the first occurrences. */
export function countBy<T>(values: Iterable<T>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** In the order of the first occurrences. */
export function groupBy<T, Key>(values: Iterable<T>, keyOf: (value: T) => Key): ReadonlyMap<Key, readonly T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) {
    const known = groups.get(keyOf(value));
    if (known === undefined) groups.set(keyOf(value), [value]);
    else known.push(value);
  }
  return groups;
}
