// The search under one anchor: matches the groups, then combines them. It can stop at every pause and resume later.

import { CombinationCounter } from './combination-counter';
import { Combinations, orderSlots } from './combine-groups';
import type { CombinationStep } from './combine-groups';
import { Matching } from './match-group';
import type { Choice, Slot, Unmatched } from './match-group';
import type { ProviderGraph, Tree } from './provider-graph';
import type { PreparedQuery } from './request-group';
import { Anchor } from './sharing';
import type { Work } from './work';

const NOTHING_CHOSEN: readonly Choice[] = [];

export class AnchorSearch {
  readonly anchor: Anchor;
  readonly counter = new CombinationCounter();
  /** The slots in the order they are decided, once they are matched. */
  ordered: readonly Slot[] = [];
  /** Candidates that the search took from here, and those it had from another anchor already. */
  given = 0;
  repeated = 0;
  /** Another anchor has the very same to offer, so nothing was looked for here. */
  offersNothingNew = false;
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

  /** By suffix and class. */
  get slots(): readonly Slot[] {
    return this.matching.slots;
  }

  get unmatched(): Unmatched | null {
    return this.matching.unmatched;
  }

  get isMatched(): boolean {
    return this.combinations !== null;
  }

  /** The choices of the present combination, in the order of `ordered`. */
  get chosen(): readonly Choice[] {
    return this.combinations?.chosen ?? NOTHING_CHOSEN;
  }

  /** Goes on until the groups are matched; 'none' when one of them finds nothing. */
  match(): CombinationStep {
    if (this.combinations !== null) return 'found';
    if (!this.matching.advance()) return 'paused';
    if (this.matching.unmatched !== null) return 'none';
    this.ordered = orderSlots(this.slots, this.query.contendedClasses);
    this.combinations = new Combinations(this.ordered, this.query, this.counter, this.work);
    return 'found';
  }

  /** Goes on to the next combination; only after the groups are matched. */
  next(): CombinationStep {
    return this.combinations?.next() ?? 'none';
  }
}
