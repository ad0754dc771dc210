// Equal sets of traits, and equal lists of aggregates, are one object: most hosts of a cloud have the same few dozen, and
// a search that asks ten thousand hosts for a trait then looks at one set. Those of a snapshot are there for the next one,
// or else each tree that is read again would have its own: after 300 changes of 33 hosts each a decision of 10 000 hosts
// cost a third more.

/** More than these are not of a few kinds of hosts. */
const KEPT_MAX = 10_000;

export class SharedLists {
  private readonly traitSets = new Map<string, ReadonlySet<string>>();
  private readonly aggregateLists = new Map<string, readonly string[]>();

  /** `names` sorted and distinct. */
  traits(names: readonly string[]): ReadonlySet<string> {
    return kept(this.traitSets, names, () => new Set(names));
  }

  /** `uuids` sorted and distinct. */
  aggregates(uuids: readonly string[]): readonly string[] {
    return kept(this.aggregateLists, uuids, () => uuids);
  }
}

function kept<T>(known: Map<string, T>, names: readonly string[], make: () => T): T {
  const key = names.join();
  let list = known.get(key);
  if (list === undefined) {
    if (known.size >= KEPT_MAX) known.clear();
    known.set(key, (list = make()));
  }
  return list;
}
