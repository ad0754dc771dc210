// The seam to whoever works out what no flavor can use: capacity asks it for its newest finding, and never waits for one.

/** What keeps flavors from what is left of a class. */
export interface StrandedReason {
  /** What is missing beside it: a resource class, or a condition in words. */
  readonly lacks: string;
  readonly hosts: number;
  /** In units of the resource class. */
  readonly amount: number;
  readonly sentence: string;
}

export interface StrandedAmount {
  readonly amount: number;
  /** False: no more than this is stranded. */
  readonly isExact: boolean;
  readonly hosts: number;
  readonly because: readonly StrandedReason[];
}

/** What was found on one host: the same object for as long as it is the same. Only a tally of the same finding reads it. */
export type StrandedOnHost = object;

/** Adds up what was found on hosts. Whatever is taken out was put in before. */
export interface StrandedTally {
  put(found: StrandedOnHost): void;
  takeOut(found: StrandedOnHost): void;
  /** By resource class; classes of which nothing is stranded included. */
  amounts(): ReadonlyMap<string, StrandedAmount>;
}

/** A finding about the whole cloud, of which any part can be summed. */
export interface StrandedFinding {
  readonly state: 'current' | 'computing';
  /** When it was worked out; null: nothing has been yet. */
  readonly atMs: number | null;
  /** How many flavors it is about. */
  readonly flavors: number;
  /** Of the host with this root; undefined: it may not be used, or nothing has been worked out yet. */
  on(rootId: number): StrandedOnHost | undefined;
}

export abstract class StrandedCapacity {
  /** For these flavors, by name or id; none: for all that are registered. */
  abstract newest(flavors: readonly string[]): Promise<StrandedFinding>;
  abstract tally(): StrandedTally;
}
