// A map that evicts its least recently used entry when it is full. A linked ring keeps the order of use. Reordering by
// delete and set would be slow: a Map keeps deleted slots until it grows, and scans them to find its first entry.

interface Entry<K, V> {
  readonly key: K;
  value: V;
  /** Neighbours in the ring, by order of use; the newest entry links to the oldest. */
  older: Entry<K, V>;
  newer: Entry<K, V>;
}

export class BoundedMap<K, V> {
  private readonly entries = new Map<K, Entry<K, V>>();
  /** The most recently used entry. */
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

/** A ring with one entry. */
function ringOf<K, V>(key: K, value: V): Entry<K, V> {
  const entry = { key, value } as Entry<K, V>;
  entry.older = entry.newer = entry;
  return entry;
}
