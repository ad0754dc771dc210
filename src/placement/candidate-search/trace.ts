// The trace of a search: which anchor each stage rejected, and why. Without a trace, the cost is one branch per rejected
// anchor. Law: with a trace, every anchor has a candidate in the answer, is in exactly one rejection, or (with a limit)
// was not reached.

import type { Provider } from './provider-graph';

/**
 * The stage that rejected an anchor. `sharing`: a sharing provider could serve it but is not connected to this tree.
 */
export type RejectionStage =
  | 'root'
  | 'in_tree'
  | 'class'
  | 'room'
  | 'traits'
  | 'aggregates'
  | 'sharing'
  | 'combine'
  | 'group_policy'
  | 'same_subtree'
  | 'merged_capacity';

export type RejectionParam = string | number | boolean | null | readonly string[];
/** The values that explain the verdict. */
export type RejectionParams = Readonly<Record<string, RejectionParam>>;

/** The only reason why an anchor has no candidate in the answer. */
export interface Rejection {
  readonly root: Pick<Provider, 'id' | 'uuid' | 'name'>;
  /** The suffix of the group without a provider; null when the request as a whole failed. */
  readonly group: string | null;
  readonly stage: RejectionStage;
  readonly code: string;
  readonly params: RejectionParams;
}

export interface Trace {
  /** The search restarts in another order: discard all recorded rejections. */
  readonly restart: () => void;
  readonly reject: (rejection: Rejection) => void;
}

/** A trace that stores the rejections in the order of the anchors. */
export class RecordingTrace implements Trace {
  private recorded: Rejection[] = [];

  get rejections(): readonly Rejection[] {
    return this.recorded;
  }

  readonly restart = (): void => {
    this.recorded = [];
  };

  readonly reject = (rejection: Rejection): void => {
    this.recorded.push(rejection);
  };
}
