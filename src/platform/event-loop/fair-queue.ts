// A bounded queue that serves clients by what was done for each: next comes the oldest entry of whoever has had least.
// When it is full, whoever has most in it gives way, so that nobody can keep others out by filling it.
import type { Client } from './client';

interface QueueBounds {
  /** Places in all, and those that one client may take. */
  readonly places: number;
  readonly placesOfClient: number;
}

/** Whose entries are of nobody in particular: they come first, and only the bound for all holds for them. */
type Owner = Client | undefined;

const UNBOUNDED: QueueBounds = { places: Number.POSITIVE_INFINITY, placesOfClient: Number.POSITIVE_INFINITY };

export class FairQueue<T> {
  /** In the order in which clients began to wait. None is empty. */
  private readonly lines = new Map<Owner, T[]>();
  private count = 0;

  constructor(private readonly bounds: QueueBounds = UNBOUNDED) {}

  /** How many entries wait. */
  get size(): number {
    return this.count;
  }

  hasLineOf(owner: Owner): boolean {
    return this.lines.has(owner);
  }

  /** Somebody waits, other than this one, who has had less. */
  hasLineBefore(client: Client): boolean {
    for (const owner of this.lines.keys()) {
      if (owner !== client && (owner === undefined || owner.standing < client.standing)) return true;
    }
    return false;
  }

  /** Takes it in, and answers what had to leave for it; undefined, and nothing has changed, when there is no place. */
  add(owner: Owner, item: T): readonly T[] | undefined {
    const own = this.lines.get(owner) ?? [];
    if (owner !== undefined && own.length >= this.bounds.placesOfClient) return undefined;
    const leaving = this.count < this.bounds.places ? [] : this.leavingFor(owner, own.length + 1);
    if (leaving === undefined) return undefined;
    own.push(item);
    this.lines.set(owner, own);
    this.count += 1;
    return leaving;
  }

  /** Takes out the oldest entry of whoever has had least, of those that may go. */
  next(mayGo: (owner: Owner) => boolean = () => true): T | undefined {
    let first: Owner;
    let lowest = Number.POSITIVE_INFINITY;
    let isFound = false;
    for (const owner of this.lines.keys()) {
      const standing = owner?.standing ?? Number.NEGATIVE_INFINITY;
      if ((isFound && standing >= lowest) || !mayGo(owner)) continue;
      [first, lowest, isFound] = [owner, standing, true];
    }
    const [item] = (isFound && this.lines.get(first)) || [];
    if (item !== undefined) this.remove(first, item);
    return item;
  }

  /** Takes out this entry; answers whether it was there. */
  remove(owner: Owner, item: T): boolean {
    const line = this.lines.get(owner) ?? [];
    const at = line.indexOf(item);
    if (at < 0) return false;
    line.splice(at, 1);
    this.count -= 1;
    if (line.length === 0) this.lines.delete(owner);
    return true;
  }

  /** Takes out everything. */
  clear(): readonly T[] {
    const items = [...this.lines.values()].flat();
    this.lines.clear();
    this.count = 0;
    return items;
  }

  /** Removes the youngest entry of the client that has most; undefined if nobody has more than `moreThan`. */
  private leavingFor(owner: Owner, moreThan: number): readonly T[] | undefined {
    let longest: readonly [Client, readonly T[]] | undefined;
    for (const [other, line] of this.lines) {
      if (other === undefined || other === owner) continue;
      if (line.length > (longest?.[1].length ?? moreThan)) longest = [other, line];
    }
    const youngest = longest?.[1].at(-1);
    if (longest === undefined || youngest === undefined) return undefined;
    this.remove(longest[0], youngest);
    return [youngest];
  }
}
