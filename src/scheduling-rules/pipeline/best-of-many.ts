// The ends of many values, and the best of many by a heap with the worst of the best on top.

import type { RawColumn } from './raw-column';

/** The smallest and the largest raw value of a weigher, and how many hosts have them. Missing values do not count. */
export class Ends {
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  private lows = 0;
  private highs = 0;

  constructor({ values, alike }: RawColumn, positions: Uint32Array) {
    if (values !== null)
      for (let at = 0; at < positions.length; at += 1) this.add(values[positions[at] as number] as number);
    else if (!Number.isNaN(alike)) {
      this.low = this.high = alike;
      this.lows = this.highs = positions.length;
    }
  }

  add(raw: number): void {
    if (raw < this.low) {
      this.low = raw;
      this.lows = 0;
    }
    if (raw > this.high) {
      this.high = raw;
      this.highs = 0;
    }
    if (raw === this.low) this.lows += 1;
    if (raw === this.high) this.highs += 1;
  }

  /** False if an end is not known any more. */
  remove(raw: number): boolean {
    if (raw === this.low) this.lows -= 1;
    if (raw === this.high) this.highs -= 1;
    return Number.isNaN(raw) || (this.lows > 0 && this.highs > 0);
  }
}

export const inOrder = (positions: readonly number[], isWorse: IsWorse): readonly number[] =>
  [...positions].sort((one, other) => (isWorse(one, other) ? 1 : -1));

export type IsWorse = (one: number, other: number) => boolean;

export function push(heap: number[], item: number, isWorse: IsWorse): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(item, heap[parent] ?? 0)) break;
    heap[at] = heap[parent] ?? 0;
    at = parent;
  }
  heap[at] = item;
}

export function replaceTop(heap: number[], item: number, isWorse: IsWorse): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(heap[child + 1] ?? 0, heap[child] ?? 0)) child += 1;
    if (!isWorse(heap[child] ?? 0, item)) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = item;
}
