// Counts that cost the counted nothing: plain additions to numbers that stay where they are. Whoever shows them (metrics/)
// reads them when somebody asks. Pure.

/** Upper bounds of the buckets of durations, in seconds: from an answer out of memory to the longest wait. */
export const DURATION_BOUNDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Upper bounds of the buckets of how many there were of something. */
export const COUNT_BOUNDS: readonly number[] = [0, 1, 10, 100, 1_000, 10_000, 100_000];

/** How many values fell below each bound, and their sum. */
export class Distribution {
  /** Not cumulative; the last one is of what is above all bounds. */
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

/** What is counted by names that come with the data: so many different ones at most, and the rest under one. */
export class NamedCounts<K extends readonly string[]> {
  private readonly entries = new Map<string, { readonly names: K; count: number }>();

  /** `rest` is what is beyond the bound counted under. */
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
