// Membership tests in ascending order over ascending lists. Each test resumes where the last one ended, so a pass over
// thousands of trees reads neither the trees nor most of the lists.

/** The union of some ascending lists; queries must ascend, too. */
export class AscendingIds {
  private readonly cursors: readonly IdCursor[];

  constructor(lists: readonly (readonly number[])[]) {
    this.cursors = lists.map((ids) => new IdCursor(ids));
  }

  /** `id` must not be below an id of an earlier call. */
  has(id: number): boolean {
    for (const cursor of this.cursors) if (cursor.has(id)) return true;
    return false;
  }
}

class IdCursor {
  private at = 0;

  constructor(private readonly ids: readonly number[]) {}

  has(id: number): boolean {
    if (this.idAt(this.at) < id) this.at = this.leapTo(id);
    return this.ids[this.at] === id;
  }

  /** The first position after the current one whose id is at least `id`: galloping search, then binary search. */
  private leapTo(id: number): number {
    let low = this.at + 1;
    let leap = 1;
    while (this.idAt(low + leap) < id) {
      low += leap + 1;
      leap *= 2;
    }
    let high = Math.min(low + leap, this.ids.length);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.idAt(middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private idAt(place: number): number {
    return place < this.ids.length ? (this.ids[place] ?? 0) : Number.POSITIVE_INFINITY;
  }
}
