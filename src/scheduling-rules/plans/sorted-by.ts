/** By rising rank, which is computed once for each item. */
export function sortedBy<Item>(items: readonly Item[], rankOf: (item: Item) => number): Item[] {
  const ranked = items.map((item) => ({ item, rank: rankOf(item) }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ item }) => item);
}
