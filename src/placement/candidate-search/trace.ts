// What was rejected, where and why. A search without a trace pays one branch per rejected anchor for this.
// Law: with a trace, every anchor has a candidate in the answer, or is in exactly one rejection, or (limit) was not
// reached.

import type { Provider } from './provider-graph';

/** Where an anchor fell out. `sharing`: a sharing provider could give it but is not connected to this tree. */
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
/** Reproduce the verdict. */
export type RejectionParams = Readonly<Record<string, RejectionParam>>;

/** The one reason why an anchor has no candidate in the answer. */
export interface Rejection {
  readonly root: Pick<Provider, 'id' | 'uuid' | 'name'>;
  /** Suffix of the group that found nothing; null when the request as a whole failed. */
  readonly group: string | null;
  readonly stage: RejectionStage;
  readonly code: string;
  readonly params: RejectionParams;
}

export interface Trace {
  /** The search starts over in another order: what was recorded so far is void. */
  readonly restart: () => void;
  readonly reject: (rejection: Rejection) => void;
}

/** A trace that keeps the rejections, in the order of the anchors. */
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
