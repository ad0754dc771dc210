import { Entity } from 'typeorm';
import { JsonColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import type { PlannedDocument } from './planning';
import type { MoveOutcomeDto, OutcomeState, PlanDto } from './plans.schema';

/** As it is shown. */
export interface MoveOutcome extends Required<MoveOutcomeDto> {
  readonly at: string;
}

interface PlanHead {
  readonly goal: PlanDto['goal'];
  readonly sentence: string;
  readonly isReached: boolean;
  /** The number of moves by state. */
  readonly outcomes: Readonly<Record<OutcomeState | 'waiting', number>>;
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
  @JsonColumn() readonly document!: StoredDocument;
  /** By the number of the move. */
  @JsonColumn() readonly outcomes!: Readonly<Record<number, MoveOutcome>>;
}

export type ListedPlan = Omit<StoredPlan, 'id' | 'document' | 'outcomes'>;
