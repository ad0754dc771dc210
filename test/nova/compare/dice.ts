// Reproducible choices of the generators.
import { randomIndex, seededRandom, shuffled } from '../../../src/platform/values/random';

export class Dice {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + randomIndex(this.random, high - low + 1);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[randomIndex(this.random, items.length)] as Item;
  }

  /** Different items; all of them if there are fewer than `count`. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    return shuffled(items, this.random).slice(0, count);
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.int(0, 15).toString(16)).join('');
    const [a, b, c, d, e] = [
      digits.slice(0, 8),
      digits.slice(8, 12),
      digits.slice(13, 16),
      digits.slice(17, 20),
      digits.slice(20),
    ];
    return `${a}-${b}-4${c}-8${d}-${e}`;
  }
}
