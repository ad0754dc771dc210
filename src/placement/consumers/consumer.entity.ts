// Consumers of allocations and their owners.
import { Entity } from 'typeorm';
import { IntegerColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';
import type { Uuid } from '../../platform/values/uuid';

/** A consumer exists only while it has allocations. */
@Entity('consumers')
export class StoredConsumer extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @IntegerColumn() readonly generation!: number;
  @IntegerColumn() readonly projectId!: number;
  @IntegerColumn() readonly userId!: number;
  @IntegerColumn({ name: 'consumer_type_id', nullable: true }) readonly typeId!: number | null;
}

/** Created on first use and never deleted. */
export abstract class StoredOwner {
  @RowId() readonly id!: number;
  abstract readonly name: string;
  @TimeColumn() readonly createdAtMs!: number;
}

@Entity('projects')
export class StoredProject extends StoredOwner {
  @TextColumn({ name: 'external_id' }) readonly name!: string;
}

@Entity('users')
export class StoredUser extends StoredOwner {
  @TextColumn({ name: 'external_id' }) readonly name!: string;
}

@Entity('consumer_types')
export class StoredConsumerType extends StoredOwner {
  @TextColumn() readonly name!: string;
}
