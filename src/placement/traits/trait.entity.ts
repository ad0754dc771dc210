import { Entity } from 'typeorm';
import { ChangedAt, RowId, TextColumn } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';

@Entity('traits')
export class StoredTrait extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly name!: string;
  @ChangedAt() readonly changedAt!: number;
}
