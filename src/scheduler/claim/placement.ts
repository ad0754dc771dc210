// The place of one instance: the result of a decision.

import type { Candidate } from '../../placement/candidate-search';
import type { HostState } from '../../scheduling-rules/host-state/host-state';

/** A host with the candidate that was, or could be, claimed on it. */
export interface Placed {
  readonly state: HostState;
  readonly weight: number;
  readonly candidate: Candidate;
}

/** `selected` is null for an instance beyond `min_count` that found no host. */
export interface Placement {
  readonly instanceUuid: string;
  readonly selected: Placed | null;
  readonly alternates: readonly Placed[];
}
