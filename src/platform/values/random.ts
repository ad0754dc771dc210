// Reproducible randomness: a small seeded generator (mulberry32). Sufficient for load distribution, not for secrets.

/** Uniform in [0, 1). */
export type Random = () => number;

/** Seeds are integers in [0, 2^32). */
export const SEED_LIMIT = 2 ** 32;

/** The same seed gives the same sequence, on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / SEED_LIMIT;
  };
}

/** A uniform integer in [0, bound). */
export function randomIndex(random: Random, bound: number): number {
  return Math.min(Math.floor(random() * bound), bound - 1);
}

/** A shuffled copy (Fisher–Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = randomIndex(random, last + 1);
    const kept = copy[last] as Item;
    copy[last] = copy[other] as Item;
    copy[other] = kept;
  }
  return copy;
}
