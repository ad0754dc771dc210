import { Entity } from 'typeorm';
import { ChangedAt, RowId, TextColumn } from '../database/columns';
import { Dated } from '../database/dated.entity';

/** Ids below FIRST_CUSTOM_RESOURCE_CLASS_ID belong to the standard classes. */
@Entity('resource_classes')
export class StoredResourceClass extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly name!: string;
  @ChangedAt() readonly changedAt!: number;
}
