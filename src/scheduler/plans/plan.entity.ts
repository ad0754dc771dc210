import { Entity } from 'typeorm';
import { IntegerColumn, JsonColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import type { PlannedDocument } from './planning';
import type { OutcomeState, PlanDto } from './plans.schema';

export interface MoveOutcome {
  readonly state: OutcomeState;
  readonly atMs: number;
  /** What the compute service said. */
  readonly message: string | null;
  /** Why an operator left it out. */
  readonly reason: string | null;
}

/** By the number of the move. */
export type MoveOutcomes = Readonly<Record<number, MoveOutcome>>;

/** The number of moves by state. */
export type PlanProgress = Readonly<Record<OutcomeState | 'waiting', number>>;

interface PlanHead {
  readonly goal: PlanDto['goal'];
  readonly sentence: string;
  readonly isReached: boolean;
}

interface StoredDocument {
  readonly ask: PlanDto;
  /** The drained hosts, with those of aggregates and zones. */
  readonly hosts: readonly string[];
  readonly planned: PlannedDocument;
}

@Entity('scheduler_plans')
export class StoredPlan {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: string;
  @TextColumn() readonly requestId!: string;
  @TimeColumn() readonly createdAtMs!: number;
  @JsonColumn() readonly head!: PlanHead;
  @JsonColumn() readonly progress!: PlanProgress;
  @JsonColumn() readonly document!: StoredDocument;
  @JsonColumn() readonly outcomes!: MoveOutcomes;
  /** The number of reported outcomes; a report raises it first, which locks the row. */
  @IntegerColumn() readonly reports!: number;
}

export type ListedPlan = Omit<StoredPlan, 'id' | 'document' | 'outcomes' | 'reports'>;
