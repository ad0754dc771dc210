// One answer: what is taken from which providers, and which groups they serve.

import type { Provider, ProviderGraph } from './provider-graph';

/** One way to place a request: what is taken of which providers, and which groups they serve. */
export interface Candidate {
  /** The root under which it was found; the first of several that see all its providers. Sharing ones have other roots. */
  readonly rootUuid: string;
  /** By the uuid of the provider, in order of their ids. */
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
  /** Every suffix to the uuids of its providers, in order of their ids; resourceless groups included. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
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

/** A candidate as the search keeps it: of the thousands found few are looked at, so it is written out when asked. */
export class FoundCandidate implements Candidate {
  constructor(
    readonly root: Provider,
    /** One a place, distinct, ascending by id. */
    readonly providers: readonly Provider[],
    readonly shape: CandidateShape,
  ) {}

  get rootUuid(): string {
    return this.root.uuid;
  }

  get allocations(): Candidate['allocations'] {
    const allocations: Record<string, { readonly resources: Readonly<Record<string, number>> }> = {};
    for (const [place, resources] of this.shape.resources.entries()) {
      const provider = this.providers[place];
      if (provider !== undefined && resources !== null) {
        allocations[provider.uuid] = { resources: Object.fromEntries(resources) };
      }
    }
    return allocations;
  }

  get mappings(): Candidate['mappings'] {
    const uuidsAt = (places: readonly number[]): string[] =>
      places.flatMap((place) => this.providers[place]?.uuid ?? []);
    return Object.fromEntries(this.shape.mappings.map(({ suffix, places }) => [suffix, uuidsAt(places)]));
  }

  /** The provider chosen for each slot, in the order of groups and their demands. */
  get providerOfSlot(): readonly Provider[] {
    return this.shape.placeOfSlot.flatMap((place) => this.providers[place] ?? []);
  }
}

/**
 * Candidates in a defined order: by anchor id (breadth-first: round by round), under one anchor by the ids of the
 * providers chosen for its slots, the slot with the fewest choices first.
 */
export interface Candidates {
  readonly list: readonly FoundCandidate[];
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
  readonly anchorsBeyond?: number | null | undefined;
  /** The trees to summarise, as they were when the search ran. */
  readonly graph: ProviderGraph;
}
