import { Entity } from 'typeorm';
import { ChangedAt, IntegerColumn, RowId, TextColumn } from '../database/columns';
import { Dated } from '../database/dated.entity';
import type { Uuid } from '../domain/uuid';

/** Trees are stored as (parent, root); every row of a tree names its root. */
@Entity('resource_providers')
export class StoredProvider extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @TextColumn() readonly name!: string;
  @IntegerColumn() readonly generation!: number;
  @IntegerColumn({ name: 'parent_provider_id', nullable: true }) readonly parentId!: number | null;
  /** The column is null until a root knows its own id. */
  @IntegerColumn({ name: 'root_provider_id', nullable: true }) readonly rootId!: number;
  /** Raised by whoever holds the row without changing it. */
  @IntegerColumn() readonly holds!: number;
  @ChangedAt() readonly changedAt!: number;
}
