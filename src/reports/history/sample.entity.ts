// A sample of the cloud at one moment.
import { Entity } from 'typeorm';
import { IntegerColumn, JsonColumn, RowId, TimeColumn } from '../../platform/database/columns';

/** Amounts of one resource class over all hosts. */
interface SampledClass {
  readonly capacity: number;
  readonly used: number;
  readonly usable: number;
  /** Null: not worked out at that time. */
  readonly stranded: number | null;
}

export interface SampleDocument {
  readonly hosts: number;
  readonly usable: number;
  readonly instances: number;
  readonly classes: Readonly<Record<string, SampledClass>>;
}

@Entity('report_samples')
export class ReportSample {
  @RowId() readonly id!: number;
  @TimeColumn() readonly sampledAtMs!: number;
  @IntegerColumn() readonly placed!: number;
  @IntegerColumn() readonly refused!: number;
  @JsonColumn() readonly document!: SampleDocument;
}
