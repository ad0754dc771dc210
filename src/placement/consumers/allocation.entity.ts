import { Entity } from 'typeorm';
import { IntegerColumn, TimeColumn } from '../../platform/database/columns';

/** The allocations slice only inserts and deletes these rows. A consumer is read together with them. */
@Entity('allocations')
export class StoredAllocation {
  @IntegerColumn({ primary: true }) readonly consumerId!: number;
  @IntegerColumn({ primary: true, name: 'resource_provider_id' }) readonly providerId!: number;
  @IntegerColumn({ primary: true, name: 'resource_class_id' }) readonly classId!: number;
  @IntegerColumn() readonly used!: number;
  @TimeColumn() readonly createdAtMs!: number;
}
