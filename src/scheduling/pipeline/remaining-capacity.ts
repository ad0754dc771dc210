// What is left of the providers while one request places its instances. Candidates are found once per request, so later
// instances of a batch are tried against what the earlier ones took, before anybody asks the database. It is also what
// makes a dry run answer as the real call would.

import { findInventory } from '../../candidate-search';
import type { Candidate } from '../../candidate-search';
import type { ProviderSummaries } from '../host-state/host-state';

type Take = readonly [provider: string, resourceClass: string, amount: number];

/** A model of the providers' room. It starts as the summaries say and shrinks with every charge. */
export class RemainingCapacity {
  private readonly charged = new Map<string, number>();
  /** Everything charged so far, so that the last of it can be taken back. */
  private readonly journal: (readonly [key: string, amount: number])[] = [];

  constructor(private readonly summaries: ProviderSummaries) {}

  /** True while every amount of the candidate still fits. What the summaries do not know is not judged. */
  fits(candidate: Candidate): boolean {
    return takesOf(candidate).every(([provider, resourceClass, amount]) => {
      const summary = this.summaries.get(provider);
      const inventory = summary && findInventory(summary, resourceClass);
      const charged = this.charged.get(keyOf(provider, resourceClass)) ?? 0;
      return inventory === undefined || inventory.used + charged + amount <= inventory.capacity;
    });
  }

  /** The model as it is now, for `reset`. */
  mark(): number {
    return this.journal.length;
  }

  /** Forgets what was charged since the mark. */
  reset(mark: number): void {
    for (const [key, amount] of this.journal.splice(mark)) this.charged.set(key, (this.charged.get(key) ?? 0) - amount);
  }

  charge(candidate: Candidate): void {
    for (const [provider, resourceClass, amount] of takesOf(candidate)) {
      const key = keyOf(provider, resourceClass);
      this.charged.set(key, (this.charged.get(key) ?? 0) + amount);
      this.journal.push([key, amount]);
    }
  }
}

function takesOf(candidate: Candidate): readonly Take[] {
  return Object.entries(candidate.allocations).flatMap(([provider, { resources }]) =>
    Object.entries(resources).map(([resourceClass, amount]): Take => [provider, resourceClass, amount]),
  );
}

const keyOf = (provider: string, resourceClass: string): string => `${provider} ${resourceClass}`;
