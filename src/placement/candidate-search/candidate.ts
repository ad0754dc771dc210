// Allocation candidates: which amounts a candidate takes from which providers, and which groups they serve.

import type { Provider, ProviderGraph } from './provider-graph';

/** One way to place a request: the amounts per provider, and the groups that each provider serves. */
export interface Candidate {
  /**
   * The root under which the candidate was found; the first one if several roots see all providers. Sharing providers
   * have other roots.
   */
  readonly rootUuid: string;
  /** Keyed by provider uuid, in order of provider id. */
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
  /** Each suffix with the uuids of its providers, in order of provider id; includes resourceless groups. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
  /** Those that it uses, as the search saw them; absent: it came without them. */
  readonly providers?: readonly Provider[];
}

/** A candidate without its providers: for each place, the resources and the groups that its provider serves. */
export interface CandidateShape {
  /** Null: a place that serves only resourceless groups. */
  readonly resources: readonly (ReadonlyMap<string, number> | null)[];
  /** Each suffix with its places, both ascending; includes resourceless groups. */
  readonly mappings: readonly { readonly suffix: string; readonly places: readonly number[] }[];
  /** The place of the provider that fills the n-th slot of the query. */
  readonly placeOfSlot: readonly number[];
}

/**
 * The compact form that the search keeps. Few of thousands of candidates are read, so their properties are computed on
 * access.
 */
export class FoundCandidate implements Candidate {
  constructor(
    readonly root: Provider,
    /** One per place, distinct, ascending by id. */
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

  /** The provider of each slot, in the order of groups and their demands. */
  get providerOfSlot(): readonly Provider[] {
    return this.shape.placeOfSlot.flatMap((place) => this.providers[place] ?? []);
  }
}

/**
 * Candidates in a defined order: by anchor id (breadth-first: round by round); under one anchor by the ids of the
 * providers of its slots, the slot with the fewest choices first.
 */
export interface Candidates {
  readonly list: readonly FoundCandidate[];
  /** More candidates can exist than were generated, because of the maximum, `gaveUp` or `isTooLarge`. */
  readonly truncated: boolean;
  /** The work limit of an anchor or of the whole search was reached; some candidates may be missing. */
  readonly gaveUp: boolean;
  /** The search stopped because its candidates exceeded `maxBytes`. */
  readonly isTooLarge: boolean;
  /** With `maxAnchors`: further anchors were not searched. */
  readonly isBounded?: boolean;
  /** The graph of the search, for the provider summaries. */
  readonly graph: ProviderGraph;
}
