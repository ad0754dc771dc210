// Counters with minimal cost: plain additions to fixed fields. metrics/ reads them on each scrape. Pure.

/** Upper bounds of duration buckets in seconds, from cached answers to the longest waits. */
export const DURATION_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Upper bounds of buckets for amounts. */
export const COUNT_BOUNDS: readonly number[] = [0, 1, 10, 100, 1_000, 10_000, 100_000];

/** A histogram: the number of values below each bound, and their sum. */
export class Distribution {
  /** Not cumulative; the last count is for values above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    counts[at] = (counts[at] as number) + 1;
    this.sum += value;
  }
}

/** Counters by names from data, with a maximum number of names; further names share one counter. */
export class NamedCounts<K extends readonly string[]> {
  private readonly entries = new Map<string, { readonly names: K; count: number }>();

  /** `rest` is the shared counter for names beyond the maximum. */
  constructor(
    private readonly most: number,
    private readonly rest: K,
  ) {}

  add(names: K, count = 1): void {
    const key = names.join('\n');
    const known = this.entries.get(key);
    if (known !== undefined) known.count += count;
    else if (this.entries.size < this.most || names === this.rest) this.entries.set(key, { names, count });
    else this.add(this.rest, count);
  }

  [Symbol.iterator](): Iterator<{ readonly names: K; readonly count: number }> {
    return this.entries.values();
  }
}
