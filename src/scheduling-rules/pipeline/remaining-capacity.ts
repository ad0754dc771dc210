// The remaining capacity while one request places its instances. Candidates are searched once per request, so later
// instances of a batch are checked against the earlier ones before any query to the database. This also makes a dry run
// give the same result as the real call.

import type { Candidate } from '../../placement/candidate-search';
import { findInventory } from '../../placement/candidate-search';
import type { ProviderSummaries } from '../host-state/host-state';
import { providerOf } from '../host-state/host-state';

type Take = readonly [provider: string, resourceClass: string, amount: number];

/** A model of the providers' capacity. It starts with the summaries and shrinks with every charge. */
export class RemainingCapacity {
  private readonly charged = new Map<string, number>();
  /** All charges in order, to undo the latest ones. */
  private readonly journal: (readonly [key: string, amount: number])[] = [];

  constructor(private readonly summaries: ProviderSummaries) {}

  /** True if every amount of the candidate still fits. Inventories without a summary are not checked. */
  fits(candidate: Candidate): boolean {
    return takesOf(candidate).every(([provider, resourceClass, amount]) => {
      const summary = providerOf(candidate, provider, this.summaries);
      const inventory = summary && findInventory(summary, resourceClass);
      const charged = this.charged.get(keyOf(provider, resourceClass)) ?? 0;
      return inventory === undefined || inventory.used + charged + amount <= inventory.capacity;
    });
  }

  /** The current position in the journal, for `reset`. */
  mark(): number {
    return this.journal.length;
  }

  /** Undoes the charges since the mark. */
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
