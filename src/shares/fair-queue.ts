// A bounded queue that serves clients by what was done for each: next comes the oldest entry of whoever has had least.
// When it is full, whoever has most in it gives way, so that nobody can keep others out by filling it.
import type { Client } from './client';

interface QueueBounds {
  /** Places in all, and those that one client may take. */
  readonly places: number;
  readonly placesOfClient: number;
}

interface Entry<T> {
  readonly item: T;
  readonly places: number;
}

interface Line<T> {
  readonly entries: Entry<T>[];
  places: number;
}

/** Whose entries are of nobody in particular: they come first, and only the bound for all holds for them. */
type Owner = Client | undefined;

const UNBOUNDED: QueueBounds = { places: Number.POSITIVE_INFINITY, placesOfClient: Number.POSITIVE_INFINITY };

export class FairQueue<T> {
  /** In the order in which clients began to wait. None is empty. */
  private readonly lines = new Map<Owner, Line<T>>();
  private count = 0;
  private places = 0;

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
  add(owner: Owner, item: T, places = 1): readonly T[] | undefined {
    const line = this.lines.get(owner);
    const wanted = (line?.places ?? 0) + places;
    if (owner !== undefined && wanted > this.bounds.placesOfClient) return undefined;
    const victims = this.victimsFor(owner, places, wanted);
    if (victims === undefined) return undefined;
    for (const [victim, entry] of victims) this.drop(victim, entry);
    this.append(owner, { item, places });
    return victims.map(([, entry]) => entry.item);
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
    const entry = isFound ? this.lines.get(first)?.entries[0] : undefined;
    if (entry === undefined) return undefined;
    this.drop(first, entry);
    return entry.item;
  }

  /** Takes out this entry; answers whether it was there. */
  remove(owner: Owner, item: T): boolean {
    const entry = this.lines.get(owner)?.entries.find((each) => each.item === item);
    if (entry !== undefined) this.drop(owner, entry);
    return entry !== undefined;
  }

  /** Takes out everything. */
  clear(): readonly T[] {
    const items = [...this.lines.values()].flatMap(({ entries }) => entries.map(({ item }) => item));
    this.lines.clear();
    this.count = this.places = 0;
    return items;
  }

  /** The youngest entries of whoever has most, as many as make room; undefined where that would be the newcomer's own. */
  private victimsFor(
    owner: Owner,
    places: number,
    wanted: number,
  ): readonly (readonly [Client, Entry<T>])[] | undefined {
    let missing = this.places + places - this.bounds.places;
    if (missing <= 0) return [];
    const [victim, line] = this.longestLine(owner, wanted) ?? [];
    if (victim === undefined || line === undefined) return undefined;
    const leaving: (readonly [Client, Entry<T>])[] = [];
    for (const entry of line.entries.toReversed()) {
      if (missing <= 0) break;
      leaving.push([victim, entry]);
      missing -= entry.places;
    }
    return missing <= 0 ? leaving : undefined;
  }

  private longestLine(owner: Owner, moreThan: number): readonly [Client, Line<T>] | undefined {
    let longest: readonly [Client, Line<T>] | undefined;
    for (const [other, line] of this.lines) {
      if (other === undefined || other === owner || line.places <= moreThan) continue;
      if (line.places > (longest?.[1].places ?? 0)) longest = [other, line];
    }
    return longest;
  }

  private append(owner: Owner, entry: Entry<T>): void {
    let line = this.lines.get(owner);
    if (line === undefined) this.lines.set(owner, (line = { entries: [], places: 0 }));
    line.entries.push(entry);
    line.places += entry.places;
    this.count += 1;
    this.places += entry.places;
  }

  private drop(owner: Owner, entry: Entry<T>): void {
    const line = this.lines.get(owner);
    const at = line?.entries.indexOf(entry) ?? -1;
    if (line === undefined || at < 0) return;
    line.entries.splice(at, 1);
    line.places -= entry.places;
    this.count -= 1;
    this.places -= entry.places;
    if (line.entries.length === 0) this.lines.delete(owner);
  }
}
