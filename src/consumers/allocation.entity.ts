import { Entity } from 'typeorm';
import { IntegerColumn, TimeColumn } from '../database/columns';

/** Only ever inserted and deleted, by the allocations slice; a consumer is read with what it holds. */
@Entity('allocations')
export class StoredAllocation {
  @IntegerColumn({ primary: true }) readonly consumerId!: number;
  @IntegerColumn({ primary: true, name: 'resource_provider_id' }) readonly providerId!: number;
  @IntegerColumn({ primary: true, name: 'resource_class_id' }) readonly classId!: number;
  @IntegerColumn() readonly used!: number;
  @TimeColumn() readonly createdAtMs!: number;
}
