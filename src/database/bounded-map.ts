// A map that forgets its least recently used entry when it is full. Entries are linked in the order of their use: a Map
// that is told to delete and set again keeps what it deleted until it grows, and goes through all of that to find its first.

interface Entry<K, V> {
  readonly key: K;
  value: V;
  /** Used before this one, and after it. They stand in a ring: behind the newest comes the oldest. */
  older: Entry<K, V>;
  newer: Entry<K, V>;
}

export class BoundedMap<K, V> {
  private readonly entries = new Map<K, Entry<K, V>>();
  /** Used last. */
  private newest: Entry<K, V> | undefined;

  constructor(private readonly capacity: number) {}

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.use(entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    const known = this.entries.get(key);
    if (known !== undefined) {
      known.value = value;
      this.use(known);
      return;
    }
    const entry = ringOf(key, value);
    this.entries.set(key, entry);
    this.link(entry);
    const oldest = entry.newer;
    if (this.entries.size > this.capacity) this.delete(oldest.key);
  }

  delete(key: K): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.unlink(entry);
  }

  private use(entry: Entry<K, V>): void {
    if (entry === this.newest) return;
    this.unlink(entry);
    this.link(entry);
  }

  private link(entry: Entry<K, V>): void {
    const newest = this.newest ?? entry;
    entry.older = newest;
    entry.newer = newest.newer;
    newest.newer.older = entry;
    newest.newer = entry;
    this.newest = entry;
  }

  private unlink(entry: Entry<K, V>): void {
    entry.older.newer = entry.newer;
    entry.newer.older = entry.older;
    if (entry === this.newest) this.newest = entry.older === entry ? undefined : entry.older;
  }
}

/** A ring of one. */
function ringOf<K, V>(key: K, value: V): Entry<K, V> {
  const entry = { key, value } as Entry<K, V>;
  entry.older = entry.newer = entry;
  return entry;
}
