// Selects the first entries after a marker in an order, without sorting all entries. Pure.

/** Below this number of entries an early cut does not pay. */
const HELD_LEAST = 512;

export interface Order<T, K> {
  /** Called once per entry. */
  readonly keyOf: (entry: T) => K;
  /** Compares by keys, then by entries; no two entries are equal. */
  readonly compare: (keyOfOne: K, keyOfOther: K, one: T, other: T) => number;
}

/**
 * The `count` lowest entries above `behind`, in ascending order; all of them if there are fewer. An entry costs one or
 * two comparisons unless it is among the lowest so far.
 */
export function firstAfter<T, K>(
  entries: Iterable<T>,
  { count, after }: { readonly count: number; readonly after: T | undefined },
  { keyOf, compare }: Order<T, K>,
): readonly T[] {
  interface Held {
    readonly entry: T;
    readonly key: K;
  }
  const inOrder = (one: Held, other: Held): number => compare(one.key, other.key, one.entry, other.entry);
  const most = Math.max(2 * count, HELD_LEAST);
  const lowest = after === undefined ? undefined : { entry: after, key: keyOf(after) };
  let lowestEntries: Held[] = [];
  let highest: Held | undefined;
  for (const entry of entries) {
    const key = keyOf(entry);
    if (lowest !== undefined && compare(key, lowest.key, entry, lowest.entry) <= 0) continue;
    if (highest !== undefined && compare(key, highest.key, entry, highest.entry) >= 0) continue;
    lowestEntries.push({ entry, key });
    if (lowestEntries.length < most) continue;
    lowestEntries = lowestEntries.sort(inOrder).slice(0, count);
    highest = lowestEntries.at(-1);
  }
  return lowestEntries
    .sort(inOrder)
    .slice(0, count)
    .map(({ entry }) => entry);
}
