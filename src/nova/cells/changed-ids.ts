// The order in which ids changed, for readers that know a version. Holds each id once, plus entries that a later change
// made obsolete, at most as many again.

const SPARE_ENTRIES = 1_000;

interface Entry {
  readonly version: number;
  readonly id: number;
}

export class ChangedIds {
  private entries: Entry[] = [];
  private readonly newest = new Map<number, number>();

  /** Versions must rise. */
  add(version: number, id: number): void {
    this.newest.set(id, version);
    this.entries.push({ version, id });
    if (this.entries.length > 2 * this.newest.size + SPARE_ENTRIES) this.entries = this.entries.filter(this.isNewest);
  }

  /** Ids that changed after the version, in the order of their last change. */
  since(version: number): readonly number[] {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.entries[middle]?.version ?? Infinity) > version) high = middle;
      else low = middle + 1;
    }
    return this.entries
      .slice(low)
      .filter(this.isNewest)
      .map(({ id }) => id);
  }

  private readonly isNewest = ({ version, id }: Entry): boolean => this.newest.get(id) === version;
}
