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
  /** The name; null: there was none, or the request was invalid. */
  @TextColumn({ nullable: true }) readonly flavor!: string | null;
  /** The name, otherwise the id. */
  @TextColumn({ nullable: true }) readonly image!: string | null;
  /** Null, like the hosts, in rows from releases that did not store them. */
  @IntegerColumn({ nullable: true }) readonly durationMs!: number | null;
  /** The first chosen hosts. */
  @JsonColumn({ nullable: true }) readonly hosts!: readonly string[] | null;
  /** The total number of distinct chosen hosts. */
  @IntegerColumn({ nullable: true }) readonly hostsChosen!: number | null;
  /** A sentence for operators. */
  @TextColumn() readonly sentence!: string;
  /** Compressed JSON, as text. */
  @TextColumn() readonly document!: string;
  /** Size of the compressed document. */
  @IntegerColumn() readonly bytes!: number;
}

/** The objects by which decisions are found. */
@Entity('scheduler_decision_subjects')
export class RecordedSubject {
  @IntegerColumn({ primary: true }) readonly decisionId!: number;
  @TextColumn({ primary: true }) readonly kind!: 'instance' | 'host';
  @TextColumn({ primary: true }) readonly name!: string;
}

export type DecisionSubject = Omit<RecordedSubject, 'decisionId'>;

/** A decision in lists. */
export interface DecisionRow extends Omit<RecordedDecision, 'id' | 'document'> {
  /** Uuid of its instance, or of one of several; null: it had none. */
  readonly instance: string | null;
  /** The name of that instance; null: it has none, or it was not placed. */
  readonly instanceName: string | null;
}

/** A stored decision with its parsed document. */
export interface ReadDecision extends Omit<RecordedDecision, 'document'> {
  readonly document: DecisionDocument;
}

export interface KeptDecision extends Omit<RecordedDecision, 'id'> {
  readonly subjects: readonly DecisionSubject[];
}
