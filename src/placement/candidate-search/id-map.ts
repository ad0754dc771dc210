// An immutable map from row ids to values: a radix tree whose unchanged branches are shared between snapshots.
// Changing one entry of a hundred thousand copies a handful of small nodes.

import { assert } from '../../platform/values/assert';

const WIDTH = 32;
const POWERS: readonly number[] = Array.from({ length: 11 }, (_, level) => WIDTH ** level);

/** Ids below this are small integers in V8. */
const SMALL = 2 ** 30;
const SMALL_LEVELS = 6;

interface Branch {
  /** The edit that can still modify this node in place. */
  readonly owner: object | null;
  readonly slots: unknown[];
}

/** A map keyed by non-negative integers. A snapshot never changes; `edit` makes the next one. */
export class IdMap<V> {
  constructor(
    private readonly top: Branch | null = null,
    private readonly height: number = 0,
  ) {}

  get(id: number): V | undefined {
    return valueAt(this.top, this.height, id) as V | undefined;
  }

  edit(): IdMapEdit<V> {
    return new IdMapEdit<V>(this.top, this.height);
  }
}

/** Collects changes to an IdMap; `done` yields the new map and ends the edit. */
class IdMapEdit<V> {
  private owner: object = {};

  constructor(
    private top: Branch | null,
    private height: number,
  ) {}

  set(id: number, value: V): void {
    this.put(id, value);
  }

  delete(id: number): void {
    if (this.top !== null && id < capacityAt(this.height)) this.put(id, undefined);
  }

  get(id: number): V | undefined {
    return valueAt(this.top, this.height, id) as V | undefined;
  }

  done(): IdMap<V> {
    this.owner = {};
    return new IdMap<V>(this.top, this.height);
  }

  private put(id: number, value: V | undefined): void {
    assert(Number.isSafeInteger(id) && id >= 0, 'a row id is a non-negative integer');
    this.grow(id);
    let branch = (this.top = this.own(this.top));
    for (let level = this.height - 1; level > 0; level -= 1) {
      const slot = slotAt(id, level);
      const next = this.own(branch.slots[slot] as Branch | null | undefined);
      branch.slots[slot] = next;
      branch = next;
    }
    branch.slots[id % WIDTH] = value;
  }

  private grow(id: number): void {
    while (this.height === 0 || id >= capacityAt(this.height)) {
      if (this.top !== null) {
        const slots = emptySlots();
        slots[0] = this.top;
        this.top = { owner: this.owner, slots };
      }
      this.height += 1;
    }
  }

  private own(branch: Branch | null | undefined): Branch {
    if (branch === null || branch === undefined) return { owner: this.owner, slots: emptySlots() };
    return branch.owner === this.owner ? branch : { owner: this.owner, slots: branch.slots.slice() };
  }
}

function valueAt(top: Branch | null, height: number, id: number): unknown {
  if (top === null || !(id >= 0) || id >= capacityAt(height)) return undefined;
  let branch = top;
  for (let level = height - 1; level > 0; level -= 1) {
    const next = branch.slots[slotAt(id, level)] as Branch | undefined;
    if (next === undefined) return undefined;
    branch = next;
  }
  return branch.slots[id % WIDTH];
}

function emptySlots(): unknown[] {
  return new Array<unknown>(WIDTH).fill(undefined);
}

function capacityAt(height: number): number {
  return POWERS[height] ?? Number.POSITIVE_INFINITY;
}

function slotAt(id: number, level: number): number {
  if (id < SMALL && level < SMALL_LEVELS) return (id >>> (5 * level)) & 31;
  return Math.floor(id / (POWERS[level] ?? Number.POSITIVE_INFINITY)) % WIDTH;
}
