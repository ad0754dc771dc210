// Aliases for the parts of the decision document.
import type { Schema } from '@berth/client';

export type Decision = Schema<'Decision'>;
export type DecisionOutcome = Decision['outcome'];
export type Pass = Schema<'Pass'>;
export type Stage = Schema<'Stage'>;
export type PlacementRecord = Schema<'PlacementRecord'>;
export type PrefilterRecord = Schema<'PrefilterRecord'>;
export type UnderstoodRequest = Schema<'UnderstoodRequest'>;

/** A decision, and the pass that is shown; undefined if the decision has none. */
export interface ShownPass {
  readonly decision: Decision;
  readonly pass: Pass | undefined;
}

/** A host in a decision: filters name host and node, Placement the name and uuid of the root provider. */
export interface HostRef {
  readonly host: string;
  readonly node?: string;
  readonly uuid?: string;
}
