// Entities for placed instances, moves in progress, and released instances that reports can still list.
import { Entity } from 'typeorm';
import { FlagColumn, IntegerColumn, JsonColumn, RowId, TextColumn, TimeColumn } from '../../platform/database/columns';
import { Dated } from '../../platform/database/dated.entity';
import type { Uuid } from '../../platform/values/uuid';

/**
 * Holds all data that a new placement of the instance needs. Documents are plain JSON values, or null if there is none.
 */
@Entity('scheduler_instances')
export class InstanceRecord extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  /** Null: the request named none. */
  @TextColumn({ nullable: true }) readonly name!: string | null;
  /** The service host. */
  @TextColumn() readonly host!: string;
  @TextColumn() readonly node!: string;
  /** The root provider. */
  @TextColumn() readonly hostUuid!: Uuid;
  @TextColumn({ nullable: true }) readonly cell!: string | null;
  @TextColumn() readonly projectId!: string;
  @TextColumn() readonly userId!: string;
  @JsonColumn() readonly flavor!: unknown;
  /** Id of the registered flavor, which cannot be deleted meanwhile; null for an inline flavor. */
  @TextColumn({ nullable: true }) readonly flavorId!: string | null;
  @JsonColumn({ nullable: true }) readonly image!: unknown;
  /** Uuid of the registered image; null for an inline image or no image. */
  @TextColumn({ nullable: true }) readonly imageUuid!: Uuid | null;
  @TextColumn({ nullable: true }) readonly groupUuid!: Uuid | null;
  /** Id of the request that caused the scheduling decision. */
  @TextColumn() readonly requestId!: string;
  @FlagColumn() readonly isBfv!: boolean;
  /** The topology as fitted to the host's cells and devices. */
  @JsonColumn({ nullable: true }) readonly numaTopology!: unknown;
  @JsonColumn({ nullable: true }) readonly pciRequests!: unknown;
  @TextColumn() readonly state!: string;
  @IntegerColumn() readonly attempts!: number;
  @JsonColumn() readonly alternates!: unknown;
  @JsonColumn() readonly tried!: unknown;
  @JsonColumn() readonly request!: unknown;
  /** Time of the first host report that listed the instance; null means pending. */
  @TimeColumn({ nullable: true }) readonly listedAtMs!: number | null;
  /** Marks the instances that one request claimed, so they can be released together; null: not marked. */
  @TextColumn({ nullable: true }) readonly batchUuid?: Uuid | null;
}

/** The columns that a placement writes. */
export type PlacedInstance = Omit<InstanceRecord, 'id' | 'listedAtMs' | 'createdAtMs' | 'updatedAtMs'>;

@Entity('scheduler_moves')
export class MoveRecord {
  @RowId() readonly id!: number;
  @TextColumn() readonly instanceUuid!: Uuid;
  /** The consumer that holds the allocations of the source host. */
  @TextColumn() readonly migrationUuid!: Uuid;
  @TextColumn() readonly type!: string;
  /** The instance record before the move. */
  @JsonColumn() readonly source!: InstanceRecord;
  @TimeColumn() readonly createdAtMs!: number;
}

export type Move = Omit<MoveRecord, 'id' | 'createdAtMs'>;

@Entity('scheduler_releases')
export class Release {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  @TextColumn() readonly host!: string;
  @TextColumn() readonly node!: string;
  @JsonColumn() readonly flavor!: unknown;
  @FlagColumn() readonly isBfv!: boolean;
  @JsonColumn({ nullable: true }) readonly numaTopology!: unknown;
  @JsonColumn({ nullable: true }) readonly pciRequests!: unknown;
  @TimeColumn() readonly releasedAtMs!: number;
}
