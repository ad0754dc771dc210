import { Entity } from 'typeorm';
import { ChangedAt, IntegerColumn, RowId, TextColumn } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';
import type { Uuid } from '../../platform/values/uuid';

/** Trees are stored as parent and root: every row of a tree refers to its root. */
@Entity('resource_providers')
export class StoredProvider extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @TextColumn() readonly name!: string;
  @IntegerColumn() readonly generation!: number;
  @IntegerColumn({ name: 'parent_provider_id', nullable: true }) readonly parentId!: number | null;
  /** The column is null until a new root has its id. */
  @IntegerColumn({ name: 'root_provider_id', nullable: true }) readonly rootId!: number;
  /** Incremented by a transaction that locks the row without another change. */
  @IntegerColumn() readonly holds!: number;
  /** 0: no compute host reported it. 1: one did, at least once. 2: its report also created it. */
  @IntegerColumn() readonly reported!: number;
  @ChangedAt() readonly changedAt!: number;
}
