import { Entity } from 'typeorm';
import { IntegerColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';
import type { Uuid } from '../../platform/values/uuid';

/** A compute node of a service host, with its last report. */
@Entity('scheduler_hosts')
export class ReportedHost extends Dated {
  @RowId() readonly id!: number;
  @IntegerColumn() readonly serviceId!: number;
  @TextColumn() readonly node!: string;
  @TextColumn({ nullable: true }) readonly uuid!: Uuid | null;
  /** The root provider that has received the service's status trait and the host's aggregates. */
  @IntegerColumn({ nullable: true }) readonly mirroredProviderId!: number | null;
  @TextColumn({ nullable: true }) readonly cell!: string | null;
  @IntegerColumn() readonly serviceVersion!: number;
  /** The body of the last report, as JSON. */
  @TextColumn() readonly report!: string;
  @TextColumn() readonly reportDigest!: string;
  @TimeColumn() readonly reportedAtMs!: number;
  @IntegerColumn() readonly generation!: number;
}
