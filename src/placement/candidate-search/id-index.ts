// An immutable index from a key (a resource class, a trait, an aggregate) to its ascending ids. Ids are added and
// removed in batches; a key whose ids do not change keeps the same array.

import { hashText } from './text-hash';

const NONE: readonly number[] = [];
const SPLICES_MAX = 16;

/** The lists of some keys. */
type Shard = ReadonlyMap<string, readonly number[]>;

/** Number of maps over which the keys are spread: growing or copying one of them is then fast. */
const SHARDS = 64;
const EMPTY: readonly Shard[] = new Array<Shard>(SHARDS).fill(new Map());

const shardOf = (key: string): number => hashText(key) % SHARDS;

/** Keys to ascending, distinct ids. */
export class IdIndex {
  constructor(private readonly shards: readonly Shard[] = EMPTY) {}

  /** The ids of `key`, ascending; empty if there are none. */
  get(key: string): readonly number[] {
    return this.shards[shardOf(key)]?.get(key) ?? NONE;
  }

  get keys(): readonly string[] {
    return this.shards.flatMap((shard) => [...shard.keys()]).sort();
  }

  edit(): IdIndexEdit {
    return new IdIndexEdit(this.shards);
  }
}

/** Collects ids to add and to remove; adding and removing the same id cancel out. */
class IdIndexEdit {
  /** Added (2 id + 1) and removed (2 id) ids by key, in the order of the calls. */
  private readonly notes = new Map<string, number[]>();

  constructor(private readonly shards: readonly Shard[]) {}

  file(key: string, id: number): void {
    this.note(key, 2 * id + 1);
  }

  remove(key: string, id: number): void {
    this.note(key, 2 * id);
  }

  done(): IdIndex {
    if (this.notes.size === 0) return new IdIndex(this.shards);
    const shards = this.shards.slice();
    const copies = new Map<number, Map<string, readonly number[]>>();
    for (const [key, notes] of this.notes) {
      const shard = shardOf(key);
      const base = shards[shard]?.get(key) ?? NONE;
      const ids = changedIds(base, notes);
      if (ids === base) continue;
      let copy = copies.get(shard);
      if (copy === undefined) copies.set(shard, (copy = new Map(shards[shard])));
      shards[shard] = copy;
      if (ids.length === 0) copy.delete(key);
      else copy.set(key, ids);
    }
    return new IdIndex(shards);
  }

  private note(key: string, note: number): void {
    const notes = this.notes.get(key);
    if (notes === undefined) this.notes.set(key, [note]);
    else notes.push(note);
  }
}

/** `base` itself when everything cancels out. A few changes are spliced into a copy; many are merged. */
function changedIds(base: readonly number[], notes: readonly number[]): readonly number[] {
  const added: number[] = [];
  const removed: number[] = [];
  let [last, sum] = [-1, 0];
  const conclude = (): void => {
    if (sum === 1) added.push(last);
    else if (sum === -1) removed.push(last);
  };
  for (const note of [...notes].sort(ascending)) {
    const id = Math.floor(note / 2);
    if (id !== last) {
      conclude();
      [last, sum] = [id, 0];
    }
    sum += note === 2 * id ? -1 : 1;
  }
  conclude();
  if (added.length + removed.length === 0) return base;
  if (added.length + removed.length <= SPLICES_MAX) return splicedIds(base, added, removed);
  const kept = removed.length === 0 ? base : withoutIds(base, removed);
  // New ids are usually the highest; sorting an ordered array is cheap.
  return [...kept, ...added].sort(ascending);
}

const ascending = (first: number, second: number): number => first - second;

function splicedIds(base: readonly number[], added: readonly number[], removed: readonly number[]): readonly number[] {
  const ids = base.slice();
  for (const id of removed) ids.splice(placeOf(ids, id), 1);
  for (const id of added) ids.splice(placeOf(ids, id), 0, id);
  return ids;
}

/** Where `id` is, or belongs. */
function placeOf(ids: readonly number[], id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ids[middle] ?? id) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both lists ascend. */
function withoutIds(base: readonly number[], removed: readonly number[]): readonly number[] {
  const kept: number[] = [];
  let next = 0;
  for (const id of base) {
    while (next < removed.length && (removed[next] ?? id) < id) next += 1;
    if (removed[next] !== id) kept.push(id);
  }
  return kept;
}
