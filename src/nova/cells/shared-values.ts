// Equal values as one object in memory. Forgets all of them when it is full.

export class SharedValues {
  private readonly values = new Map<string, unknown>();

  constructor(private readonly countMax: number) {}

  /** `make` makes the value of a key; equal keys have equal values. */
  of<T>(key: string, make: () => T): T {
    const known = this.values.get(key);
    if (known !== undefined) return known as T;
    const value = make();
    if (this.values.size >= this.countMax) this.values.clear();
    this.values.set(key, value);
    return value;
  }
}
