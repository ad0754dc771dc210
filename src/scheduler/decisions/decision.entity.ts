import { Entity } from 'typeorm';
import { IntegerColumn, RowId, TextColumn, TimeColumn } from '../../database/columns';

@Entity('scheduler_decisions')
export class RecordedDecision {
  @RowId() readonly id!: number;
  @TextColumn() readonly requestId!: string;
  @TimeColumn() readonly atMs!: number;
  @TextColumn() readonly outcome!: string;
  @TextColumn({ nullable: true }) readonly code!: string | null;
  @TextColumn({ nullable: true }) readonly projectId!: string | null;
  @IntegerColumn() readonly numInstances!: number;
  /** For an operator. */
  @TextColumn() readonly sentence!: string;
  /** Compressed JSON, as text. */
  @TextColumn() readonly document!: string;
  /** Of the compressed document. */
  @IntegerColumn() readonly bytes!: number;
}

/** What a decision is found by. */
@Entity('scheduler_decision_subjects')
export class RecordedSubject {
  @IntegerColumn({ primary: true }) readonly decisionId!: number;
  @TextColumn({ primary: true }) readonly kind!: 'instance' | 'host';
  @TextColumn({ primary: true }) readonly name!: string;
}

export type DecisionSubject = Omit<RecordedSubject, 'decisionId'>;

/** What lists show of a decision. */
export type DecisionRow = Omit<RecordedDecision, 'id' | 'document'>;

/** A decision that was kept, with its document as a value. */
export interface ReadDecision extends Omit<RecordedDecision, 'document'> {
  readonly document: unknown;
}

export interface KeptDecision extends Omit<RecordedDecision, 'id'> {
  readonly subjects: readonly DecisionSubject[];
}
