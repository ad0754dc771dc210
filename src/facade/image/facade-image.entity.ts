import { Entity } from 'typeorm';
import { FlagColumn, IntegerColumn, JsonColumn, TextColumn } from '../../database/columns';
import type { Uuid } from '../../domain/uuid';

export const VISIBILITIES = ['public', 'community', 'shared', 'private'] as const;
type Visibility = (typeof VISIBILITIES)[number];

/** What the Image API knows of an image beside what scheduling reads. */
@Entity('facade_images')
export class FacadeImage {
  @TextColumn({ primary: true }) readonly imageUuid!: Uuid;
  /** The project that it belongs to. */
  @TextColumn({ nullable: true }) readonly owner!: string | null;
  @TextColumn() readonly visibility!: Visibility;
  @TextColumn({ nullable: true }) readonly containerFormat!: string | null;
  @IntegerColumn() readonly minDiskGb!: number;
  @IntegerColumn() readonly minRamMb!: number;
  @FlagColumn({ name: 'protected' }) readonly isProtected!: boolean;
  @JsonColumn() readonly tags!: readonly string[];
  /** Of the data that was uploaded, and not kept; null: none was. */
  @IntegerColumn({ nullable: true }) readonly sizeBytes!: number | null;
  @TextColumn({ nullable: true }) readonly md5!: string | null;
  @TextColumn({ nullable: true }) readonly sha512!: string | null;
}
