import { Entity } from 'typeorm';
import { ChangedAt, IntegerColumn, RatioColumn, RowId } from '../database/columns';
import { Dated } from '../database/dated.entity';
import type { InventoryRecord } from '../domain/inventory';

/** The id is never used twice: a class that goes and comes again is another row. */
@Entity('inventories')
export class StoredInventory extends Dated implements InventoryRecord {
  @RowId() readonly id!: number;
  @IntegerColumn({ name: 'resource_provider_id' }) readonly providerId!: number;
  @IntegerColumn({ name: 'resource_class_id' }) readonly classId!: number;
  @IntegerColumn() readonly total!: number;
  @IntegerColumn() readonly reserved!: number;
  @IntegerColumn() readonly minUnit!: number;
  @IntegerColumn() readonly maxUnit!: number;
  @IntegerColumn() readonly stepSize!: number;
  @RatioColumn() readonly allocationRatio!: number;
  /** By the one formula, of the columns above. */
  @IntegerColumn() readonly capacity!: number;
  /** The sum of the allocations. */
  @IntegerColumn() readonly used!: number;
  /** Raised whenever the usage moves. */
  @IntegerColumn() readonly version!: number;
  @ChangedAt() readonly changedAt!: number;
}
