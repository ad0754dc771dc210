import { Entity } from 'typeorm';
import { ChangedAt, RowId, TextColumn } from '../database/columns';
import { Dated } from '../database/dated.entity';

/** Ids below the first custom one belong to the standard classes. */
@Entity('resource_classes')
export class StoredResourceClass extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly name!: string;
  @ChangedAt() readonly changedAt!: number;
}
