// What Berth placed, what is being moved, and what was released that reports may still list.
import { Entity } from 'typeorm';
import { FlagColumn, IntegerColumn, JsonColumn, RowId, TextColumn, TimeColumn } from '../../database/columns';
import { Dated } from '../../database/dated.entity';
import type { Uuid } from '../../domain/uuid';

/** All that is needed to place the instance again. Documents are plain JSON values; null where there is none. */
@Entity('scheduler_instances')
export class InstanceRecord extends Dated {
  @RowId() readonly id!: number;
  @TextColumn() readonly uuid!: Uuid;
  /** The service host. */
  @TextColumn() readonly host!: string;
  @TextColumn() readonly node!: string;
  /** The root provider. */
  @TextColumn() readonly hostUuid!: Uuid;
  @TextColumn({ nullable: true }) readonly cell!: string | null;
  @TextColumn() readonly projectId!: string;
  @TextColumn() readonly userId!: string;
  @JsonColumn() readonly flavor!: unknown;
  /** Id of the registered flavor; null when it was given inline. It cannot go while the instance is here. */
  @TextColumn({ nullable: true }) readonly flavorId!: string | null;
  @JsonColumn({ nullable: true }) readonly image!: unknown;
  /** The registered image; null when there is none or it was given inline. */
  @TextColumn({ nullable: true }) readonly imageUuid!: Uuid | null;
  @TextColumn({ nullable: true }) readonly groupUuid!: Uuid | null;
  /** Of the decision. */
  @TextColumn() readonly requestId!: string;
  @FlagColumn() readonly isBfv!: boolean;
  /** As fitted to the host's cells and devices. */
  @JsonColumn({ nullable: true }) readonly numaTopology!: unknown;
  @JsonColumn({ nullable: true }) readonly pciRequests!: unknown;
  @TextColumn() readonly state!: string;
  @IntegerColumn() readonly attempts!: number;
  @JsonColumn() readonly alternates!: unknown;
  @JsonColumn() readonly tried!: unknown;
  @JsonColumn() readonly request!: unknown;
  /** When a report of the host first listed it; null: pending. */
  @TimeColumn({ nullable: true }) readonly listedAtMs!: number | null;
  /** Marks what one request claimed, so that it can be undone; null: it is not to be. */
  @TextColumn({ nullable: true }) readonly batchUuid?: Uuid | null;
}

/** A placement. */
export type PlacedInstance = Omit<InstanceRecord, 'id' | 'listedAtMs' | 'createdAtMs' | 'updatedAtMs'>;

@Entity('scheduler_moves')
export class MoveRecord {
  @RowId() readonly id!: number;
  @TextColumn() readonly instanceUuid!: Uuid;
  /** The consumer that holds what the instance had where it was. */
  @TextColumn() readonly migrationUuid!: Uuid;
  @TextColumn() readonly type!: string;
  /** The record of the instance as it was. */
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
