// Append-only sets and maps in which every earlier version stays valid. A batch charges a host or extends a group once
// per instance, and copying all earlier entries each time would be quadratic. Versions share their entries; each sees
// only its first `size` entries.

interface Entry<Value> {
  readonly value: Value;
  /** Position among the shared entries. */
  readonly at: number;
}

export class AppendOnlyMap<Key, Value> implements ReadonlyMap<Key, Value> {
  private constructor(
    private readonly shared: Map<Key, Entry<Value>>,
    readonly size: number,
  ) {}

  /** Copies the map once, unless it is already an AppendOnlyMap. */
  static of<Key, Value>(map: ReadonlyMap<Key, Value>): AppendOnlyMap<Key, Value> {
    if (map instanceof AppendOnlyMap) return map as AppendOnlyMap<Key, Value>;
    const shared = new Map<Key, Entry<Value>>();
    for (const [key, value] of map) shared.set(key, { value, at: shared.size });
    return new AppendOnlyMap(shared, shared.size);
  }

  /** With one more entry. Copies only if another version was extended from this one, or the key exists. */
  with(key: Key, value: Value): AppendOnlyMap<Key, Value> {
    if (this.shared.size !== this.size || this.shared.has(key)) return AppendOnlyMap.of(new Map(this).set(key, value));
    this.shared.set(key, { value, at: this.size });
    return new AppendOnlyMap(this.shared, this.size + 1);
  }

  has(key: Key): boolean {
    return (this.shared.get(key)?.at ?? this.size) < this.size;
  }

  get(key: Key): Value | undefined {
    const entry = this.shared.get(key);
    return entry === undefined || entry.at >= this.size ? undefined : entry.value;
  }

  *entries(): MapIterator<[Key, Value]> {
    for (const [key, { value, at }] of this.shared) {
      if (at >= this.size) return;
      yield [key, value];
    }
  }

  *keys(): MapIterator<Key> {
    for (const [key, { at }] of this.shared) {
      if (at >= this.size) return;
      yield key;
    }
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[Key, Value]> {
    return this.entries();
  }

  forEach(visit: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
}

export class AppendOnlySet<Item> implements ReadonlySet<Item> {
  private constructor(private readonly items: AppendOnlyMap<Item, Item>) {}

  /** Copies the set once, unless it is already an AppendOnlySet. */
  static of<Item>(set: ReadonlySet<Item>): AppendOnlySet<Item> {
    if (set instanceof AppendOnlySet) return set as AppendOnlySet<Item>;
    return new AppendOnlySet(AppendOnlyMap.of(new Map([...set].map((item) => [item, item]))));
  }

  with(item: Item): AppendOnlySet<Item> {
    return this.has(item) ? this : new AppendOnlySet(this.items.with(item, item));
  }

  get size(): number {
    return this.items.size;
  }

  has(item: Item): boolean {
    return this.items.has(item);
  }

  entries(): SetIterator<[Item, Item]> {
    return this.items.entries();
  }

  keys(): SetIterator<Item> {
    return this.items.keys();
  }

  values(): SetIterator<Item> {
    return this.items.keys();
  }

  [Symbol.iterator](): SetIterator<Item> {
    return this.items.keys();
  }

  forEach(visit: (item: Item, same: Item, set: ReadonlySet<Item>) => void): void {
    for (const item of this.items.keys()) visit(item, item, this);
  }
}
