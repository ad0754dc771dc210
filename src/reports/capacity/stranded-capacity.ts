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

/** A finding about the whole cloud, of which any part can be summed. */
export interface StrandedFinding {
  readonly state: 'current' | 'computing';
  /** When it was worked out; null: nothing has been yet. */
  readonly atMs: number | null;
  /** How many flavors it is about. */
  readonly flavors: number;
  /** By resource class, of the trees with these roots together; undefined: nothing has been worked out yet. */
  of(rootIds: readonly number[]): ReadonlyMap<string, StrandedAmount> | undefined;
}

export abstract class StrandedCapacity {
  /** For these flavors, by name or id; none: for all that are registered. Null: nobody works it out here. */
  abstract newest(flavors: readonly string[]): Promise<StrandedFinding | null>;
}

/** Where nobody works it out. */
export class NoStrandedCapacity extends StrandedCapacity {
  newest(): Promise<null> {
    return Promise.resolve(null);
  }
}
