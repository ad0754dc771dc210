// An immutable index from a key (a resource class, a trait, an aggregate) to the ascending ids filed under it.
// Ids are filed and struck in batches; a key whose ids come out unchanged keeps its very array.

const NONE: readonly number[] = [];
const SPLICES_MAX = 16;

/** Keys to ascending, distinct ids. */
export class IdIndex {
  constructor(private readonly lists: ReadonlyMap<string, readonly number[]> = new Map()) {}

  /** The ids filed under `key`, ascending; empty when there are none. */
  get(key: string): readonly number[] {
    return this.lists.get(key) ?? NONE;
  }

  get keys(): readonly string[] {
    return [...this.lists.keys()].sort();
  }

  edit(): IdIndexEdit {
    return new IdIndexEdit(this.lists);
  }
}

/** Collects what to file and what to strike; filing and striking the same id cancel out. */
class IdIndexEdit {
  private readonly changes = new Map<string, Map<number, number>>();

  constructor(private readonly lists: ReadonlyMap<string, readonly number[]>) {}

  file(key: string, id: number): void {
    this.note(key, id, 1);
  }

  strike(key: string, id: number): void {
    this.note(key, id, -1);
  }

  done(): IdIndex {
    let lists: Map<string, readonly number[]> | null = null;
    for (const [key, deltas] of this.changes) {
      const filed = idsWith(deltas, 1);
      const struck = idsWith(deltas, -1);
      if (filed.length === 0 && struck.length === 0) continue;
      lists ??= new Map(this.lists);
      const ids = changeIds(this.lists.get(key) ?? NONE, filed, struck);
      if (ids.length === 0) lists.delete(key);
      else lists.set(key, ids);
    }
    return new IdIndex(lists ?? this.lists);
  }

  private note(key: string, id: number, delta: number): void {
    let deltas = this.changes.get(key);
    if (deltas === undefined) this.changes.set(key, (deltas = new Map<number, number>()));
    deltas.set(id, (deltas.get(id) ?? 0) + delta);
  }
}

function idsWith(deltas: ReadonlyMap<number, number>, delta: number): number[] {
  const ids: number[] = [];
  for (const [id, sum] of deltas) if (sum === delta) ids.push(id);
  return ids;
}

/** A few changes are spliced into a copy; many are merged in one walk. */
function changeIds(base: readonly number[], filed: number[], struck: readonly number[]): readonly number[] {
  if (filed.length + struck.length > SPLICES_MAX) return mergeIds(base, filed, new Set(struck));
  const ids = base.slice();
  for (const id of struck) ids.splice(placeOf(ids, id), 1);
  for (const id of filed) ids.splice(placeOf(ids, id), 0, id);
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

function mergeIds(base: readonly number[], filed: number[], struck: ReadonlySet<number>): readonly number[] {
  filed.sort((a, b) => a - b);
  const kept = struck.size === 0 ? base : base.filter((id) => !struck.has(id));
  if (filed.length === 0) return kept;
  const merged: number[] = [];
  let next = 0;
  for (const id of kept) {
    while (next < filed.length && (filed[next] ?? id) < id) merged.push(filed[next++] ?? id);
    merged.push(id);
  }
  while (next < filed.length) merged.push(filed[next++] ?? 0);
  return merged;
}
