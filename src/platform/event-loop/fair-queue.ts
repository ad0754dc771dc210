// A bounded queue that is fair between clients: next is the oldest entry of the client with the least usage. When it is
// full, the client with the most entries loses one, so no client can block others by filling the queue.
import type { Client } from './client';

interface QueueBounds {
  /** Places in total, and per client. */
  readonly places: number;
  readonly placesOfClient: number;
}

/** Undefined: entries without a client come first, and only the total limit applies to them. */
type Owner = Client | undefined;

export class FairQueue<T> {
  /** In the order in which the clients began to wait. No line is empty. */
  private readonly lines = new Map<Owner, T[]>();
  private count = 0;

  constructor(private readonly bounds: QueueBounds) {}

  /** The number of entries. */
  get size(): number {
    return this.count;
  }

  hasLineOf(owner: Owner): boolean {
    return this.lines.has(owner);
  }

  /** Adds the entry and returns the evicted ones; undefined, without any change, if there is no place. */
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

  /** Removes the oldest entry of the allowed client with the least usage. */
  next(mayGo: (owner: Owner) => boolean = () => true): T | undefined {
    let first: Owner;
    let lowest = Number.POSITIVE_INFINITY;
    let isFound = false;
    for (const owner of this.lines.keys()) {
      const usageMs = owner?.usageMs ?? Number.NEGATIVE_INFINITY;
      if ((isFound && usageMs >= lowest) || !mayGo(owner)) continue;
      [first, lowest, isFound] = [owner, usageMs, true];
    }
    const [item] = (isFound && this.lines.get(first)) || [];
    if (item !== undefined) this.remove(first, item);
    return item;
  }

  /** Removes this entry; returns whether it was in the queue. */
  remove(owner: Owner, item: T): boolean {
    const line = this.lines.get(owner) ?? [];
    const at = line.indexOf(item);
    if (at < 0) return false;
    line.splice(at, 1);
    this.count -= 1;
    if (line.length === 0) this.lines.delete(owner);
    return true;
  }

  /** Evicts the youngest entry of the client with the most; undefined if no client has more than `moreThan`. */
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
