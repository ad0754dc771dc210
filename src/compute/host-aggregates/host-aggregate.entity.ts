import { Entity } from 'typeorm';
import { IntegerColumn, TextColumn } from '../../platform/database/columns';
import type { Uuid } from '../../platform/values/uuid';
import { Registered } from '../registered.entity';

@Entity('host_aggregates')
export class RegisteredAggregate extends Registered {
  @TextColumn({ update: false }) readonly uuid!: Uuid;
  @TextColumn() readonly name!: string;
  readonly metadata!: Readonly<Record<string, string>>;
  /** Sorted by name. */
  readonly hosts!: readonly string[];
}

@Entity('host_aggregate_metadata')
export class HostAggregateMetadata {
  @IntegerColumn({ primary: true }) readonly aggregateId!: number;
  @TextColumn({ primary: true }) readonly name!: string;
  @TextColumn() readonly value!: string;
}

@Entity('host_aggregate_hosts')
export class HostAggregateHost {
  @IntegerColumn({ primary: true }) readonly aggregateId!: number;
  @TextColumn({ primary: true }) readonly host!: string;
}
