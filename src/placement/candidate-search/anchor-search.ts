// The search under one anchor: matches the groups, then combines them. It can stop at every pause and resume later.

import type { CombinationStep } from './combine-groups';
import { Combinations, orderSlots } from './combine-groups';
import type { Choice, Slot } from './match-group';
import { Matching } from './match-group';
import type { ProviderGraph, Tree } from './provider-graph';
import type { PreparedQuery } from './request-group';
import { Anchor } from './sharing';
import type { Work } from './work';

const NOTHING_CHOSEN: readonly Choice[] = [];

export class AnchorSearch {
  readonly anchor: Anchor;
  /** The slots in the order in which they are decided; empty before they are matched. */
  ordered: readonly Slot[] = [];
  /** Number of candidates that the search added. */
  given = 0;
  private readonly matching: Matching;
  private combinations: Combinations | null = null;

  constructor(
    graph: ProviderGraph,
    tree: Tree,
    private readonly query: PreparedQuery,
    private readonly work: Work,
  ) {
    this.anchor = new Anchor(graph, tree);
    this.matching = new Matching(this.anchor, query.groups, work);
  }

  /** Sorted by suffix and class. */
  get slots(): readonly Slot[] {
    return this.matching.slots;
  }

  get isMatched(): boolean {
    return this.combinations !== null;
  }

  /** The search reached its work limit. */
  get isExhausted(): boolean {
    return this.combinations?.isExhausted === true;
  }

  /** The choices of the current combination, in the order of `ordered`. */
  get chosen(): readonly Choice[] {
    return this.combinations?.chosen ?? NOTHING_CHOSEN;
  }

  /** Matches the groups. After `paused`, call it again to resume. `none`: a group has no choice. */
  match(): CombinationStep {
    if (this.combinations !== null) return 'found';
    if (!this.matching.advance()) return 'paused';
    if (this.matching.isUnmatched) return 'none';
    this.ordered = orderSlots(this.slots, this.query.contendedClasses);
    this.combinations = new Combinations(this.ordered, this.query, this.work);
    return 'found';
  }

  /** Finds the next combination. Call it only after the groups are matched. */
  next(): CombinationStep {
    return this.combinations?.next() ?? 'none';
  }
}
