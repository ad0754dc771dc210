// Whether ids are in ascending lists, asked in ascending order: each question goes on where the last one ended, so a
// walk over thousands of trees touches neither them nor most of the lists.

/** A set of ids, the union of some lists; it is asked for ids in ascending order. */
export class AscendingIds {
  private readonly cursors: readonly IdCursor[];

  constructor(lists: readonly (readonly number[])[]) {
    this.cursors = lists.map((ids) => new IdCursor(ids));
  }

  /** `id` is not below one that was asked for before. */
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

  /** The first place behind the present one whose id is `id` or more: in leaps that double, then between the last two. */
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
