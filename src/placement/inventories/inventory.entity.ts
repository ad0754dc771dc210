import { Entity } from 'typeorm';
import { ChangedAt, IntegerColumn, RatioColumn, RowId } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';
import type { InventoryRecord } from '../domain/inventory';

/** Ids are never reused: a class that is deleted and added again gets a new row. */
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
  /** `capacityOf` the columns above. */
  @IntegerColumn() readonly capacity!: number;
  /** Sum of the allocations. */
  @IntegerColumn() readonly used!: number;
  /** Incremented by every change of the usage. */
  @IntegerColumn() readonly version!: number;
  @ChangedAt() readonly changedAt!: number;
}
