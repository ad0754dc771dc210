// What the scheduler reads of an allocation candidate and of the providers it names. Data only: how candidates are
// found is the candidate engine's business, and how they are claimed that of the allocations.

/** One way to place the request on one provider tree. */
export interface Candidate {
  /** Root of the tree whose host this candidate is for. Sharing providers it uses may have other roots. */
  readonly rootUuid: string;
  readonly allocations: Readonly<Record<string, { readonly resources: Readonly<Record<string, number>> }>>;
  /** Suffix of each request group → the providers that satisfy it. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
}

/** Nova finds a host's candidates by the host's own provider; one that takes everything from others is none to it. */
export const usesItsRoot = ({ rootUuid, allocations }: Candidate): boolean => Object.hasOwn(allocations, rootUuid);

/** One provider as it was when the candidates were found. Capacity is not reduced by what is used. */
export interface ProviderSummary {
  readonly uuid: string;
  readonly name: string;
  readonly rootUuid: string;
  readonly parentUuid: string | null;
  readonly traits: readonly string[];
  readonly resources: Readonly<Record<string, ProviderResource>>;
}

/** What a provider has of one class. `capacity` is `floor((total - reserved) * allocationRatio)`. */
export interface ProviderResource {
  readonly total: number;
  readonly reserved: number;
  readonly allocationRatio: number;
  readonly capacity: number;
  readonly used: number;
}

/** Summaries by provider uuid. */
export type ProviderSummaries = Readonly<Record<string, ProviderSummary>>;
