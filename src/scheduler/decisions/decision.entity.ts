import { Entity } from 'typeorm';
import { IntegerColumn, JsonColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import type { DecisionDocument } from './decision.presenter';

@Entity('scheduler_decisions')
export class RecordedDecision {
  @RowId() readonly id!: number;
  @TextColumn() readonly requestId!: string;
  @TimeColumn() readonly atMs!: number;
  @TextColumn() readonly outcome!: string;
  @TextColumn({ nullable: true }) readonly code!: string | null;
  @TextColumn({ nullable: true }) readonly projectId!: string | null;
  @IntegerColumn() readonly numInstances!: number;
  /** By name; null: it had none, or the request was not understood. */
  @TextColumn({ nullable: true }) readonly flavor!: string | null;
  /** By name, else by id. */
  @TextColumn({ nullable: true }) readonly image!: string | null;
  /** Null, as the hosts are, in rows of releases that kept none of it. */
  @IntegerColumn({ nullable: true }) readonly durationMs!: number | null;
  /** The first of the hosts that were chosen. */
  @JsonColumn({ nullable: true }) readonly hosts!: readonly string[] | null;
  /** How many different ones those are in all. */
  @IntegerColumn({ nullable: true }) readonly hostsChosen!: number | null;
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
  readonly document: DecisionDocument;
}

export interface KeptDecision extends Omit<RecordedDecision, 'id'> {
  readonly subjects: readonly DecisionSubject[];
}
