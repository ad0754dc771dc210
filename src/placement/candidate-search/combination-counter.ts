// Counters of one pass over combinations: refusals per rule, steps, and whether the pass gave up.

/** A rule that can refuse a combination of choices each of which is fine by itself. */
export type CombinationRule =
  | 'group_policy'
  | 'single_provider_per_tree'
  | 'merged_capacity'
  | 'same_subtree'
  | 'traits';

/** Refusals by rule, and whether the enumeration reached its work limit. */
export class CombinationCounter {
  isExhausted = false;
  steps = 0;
  private counts: Map<CombinationRule, number> | null = null;

  get refusals(): ReadonlyMap<CombinationRule, number> {
    return this.counts ?? NO_REFUSALS;
  }

  refuse(rule: CombinationRule): void {
    this.counts ??= new Map();
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
  }
}

const NO_REFUSALS: ReadonlyMap<CombinationRule, number> = new Map();
