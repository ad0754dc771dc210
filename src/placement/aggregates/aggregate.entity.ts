import { Entity } from 'typeorm';
import { IntegerColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import type { Uuid } from '../../platform/values/uuid';

/** A uuid that a client has named; it is never deleted. */
@Entity('placement_aggregates')
export class StoredAggregate {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @TimeColumn() readonly createdAtMs!: number;
}

@Entity('resource_provider_aggregates')
export class StoredProviderAggregate {
  @IntegerColumn({ primary: true, name: 'resource_provider_id' }) readonly providerId!: number;
  @IntegerColumn({ primary: true, name: 'aggregate_id' }) readonly id!: number;
}
