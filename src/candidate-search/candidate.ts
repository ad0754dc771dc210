// One answer: what is taken from which providers, and which groups they serve.

import type { Provider, ProviderGraph } from './provider-graph';

/** What one provider gives in a candidate, summed over all groups. */
export interface CandidateAllocation {
  readonly provider: Provider;
  readonly resources: ReadonlyMap<string, number>;
}

/** A candidate without its providers: for each place, what the provider that is put there gives and serves. */
export interface CandidateShape {
  /** Null: a place that only serves groups without resources. */
  readonly resources: readonly (ReadonlyMap<string, number> | null)[];
  /** Every suffix, ascending, with its places, ascending; resourceless groups included. */
  readonly mappings: readonly { readonly suffix: string; readonly places: readonly number[] }[];
  /** The place of whoever fills the n-th slot of the query. */
  readonly placeOfSlot: readonly number[];
}

export class Candidate {
  constructor(
    /** The root under which it was built; the first of several that see all its providers. */
    readonly anchorId: number,
    /** One a place, distinct, ascending by id. */
    readonly providers: readonly Provider[],
    readonly shape: CandidateShape,
  ) {}

  /** Ascending by provider id. */
  get allocations(): readonly CandidateAllocation[] {
    const allocations: CandidateAllocation[] = [];
    for (let place = 0; place < this.providers.length; place += 1) {
      const provider = this.providers[place];
      const resources = this.shape.resources[place] ?? null;
      if (provider !== undefined && resources !== null) allocations.push({ provider, resources });
    }
    return allocations;
  }

  /** Every suffix, ascending, to the uuids of its providers in order of their ids; resourceless groups included. */
  get mappings(): ReadonlyMap<string, readonly string[]> {
    const uuidsAt = (places: readonly number[]): string[] =>
      places.flatMap((place) => this.providers[place]?.uuid ?? []);
    return new Map(this.shape.mappings.map(({ suffix, places }) => [suffix, uuidsAt(places)]));
  }

  /** The provider chosen for each slot, in the order of groups and their demands. */
  get givers(): readonly Provider[] {
    return this.shape.placeOfSlot.flatMap((place) => this.providers[place] ?? []);
  }
}

/**
 * Candidates in a defined order: by anchor id (breadth-first: round by round), under one anchor by the ids of the
 * providers chosen for its slots, the slot with the fewest choices first.
 */
export interface Candidates {
  readonly list: readonly Candidate[];
  /** There may be more than was generated, for whatever reason: the maximum, `gaveUp` or `isTooLarge`. */
  readonly truncated: boolean;
  /** The work of an anchor, or of the whole search, ran out: there may be candidates that were not found. */
  readonly gaveUp: boolean;
  /** The candidates outgrew `maxBytes`, and the search stopped there. */
  readonly isTooLarge: boolean;
  /**
   * With `maxAnchors`: how many further anchors have candidates; null when that was not counted, because it would have
   * cost as much as answering them.
   */
  readonly anchorsBeyond?: number | null;
  /** The trees to summarise, as they were when the search ran. */
  readonly graph: ProviderGraph;
}
