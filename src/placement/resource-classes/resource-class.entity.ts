import { Entity } from 'typeorm';
import { ChangedAt, RowId, TextColumn } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';

/** Ids below FIRST_CUSTOM_RESOURCE_CLASS_ID belong to the standard classes. */
@Entity('resource_classes')
export class StoredResourceClass extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly name!: string;
  @ChangedAt() readonly changedAt!: number;
}
