// The parts of the decision document, by the names that the pages use for them.
import type { Schema } from '@berth/client';

export type Decision = Schema<'Decision'>;
export type DecisionOutcome = Decision['outcome'];
export type Pass = Schema<'Pass'>;
export type Stage = Schema<'Stage'>;
export type PlacementRecord = Schema<'PlacementRecord'>;
export type PrefilterRecord = Schema<'PrefilterRecord'>;
export type UnderstoodRequest = Schema<'UnderstoodRequest'>;

/** A host as a decision names it: a filter by host and node, Placement by the name and uuid of the root provider. */
export interface HostRef {
  readonly host: string;
  readonly node?: string;
  readonly uuid?: string;
}
