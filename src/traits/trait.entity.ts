import { Entity } from 'typeorm';
import { ChangedAt, RowId, TextColumn } from '../database/columns';
import { Dated } from '../database/dated.entity';

@Entity('traits')
export class StoredTrait extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly name!: string;
  @ChangedAt() readonly changedAt!: number;
}
