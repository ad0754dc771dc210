import { Entity } from 'typeorm';
import { FlagColumn, TextColumn, TimeColumn } from '../../platform/database/columns';
import { Registered } from '../registered.entity';

/** One row per service host; its first report creates it. */
@Entity('scheduler_services')
export class ComputeService extends Registered {
  @TextColumn({ update: false }) readonly host!: string;
  @FlagColumn() readonly disabled!: boolean;
  @TextColumn({ nullable: true }) readonly disabledReason!: string | null;
  @FlagColumn() readonly forcedDown!: boolean;
  @TimeColumn({ nullable: true }) readonly lastSeenUpMs!: number | null;
  /** Of the last report that was refused; an accepted one does not remove them. */
  @TimeColumn({ nullable: true }) readonly refusedAtMs!: number | null;
  @TextColumn({ nullable: true }) readonly refusal!: string | null;
}
