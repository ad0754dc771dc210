import { Entity } from 'typeorm';
import { FlagColumn, IntegerColumn, JsonColumn, TextColumn } from '../../platform/database/columns';
import type { Uuid } from '../../platform/values/uuid';

export const VISIBILITIES = ['public', 'community', 'shared', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * Data of an image that the Image API shows but scheduling does not read. Its table, like the others of the practice
 * cloud, keeps the name that it was created with: to rename it, a rolling upgrade needs two releases.
 */
@Entity('facade_images')
export class PracticeImage {
  @TextColumn({ primary: true }) readonly imageUuid!: Uuid;
  /** The project that owns the image. */
  @TextColumn({ nullable: true }) readonly owner!: string | null;
  @TextColumn() readonly visibility!: Visibility;
  @TextColumn({ nullable: true }) readonly containerFormat!: string | null;
  @IntegerColumn() readonly minDiskGb!: number;
  @IntegerColumn() readonly minRamMb!: number;
  @FlagColumn({ name: 'protected' }) readonly isProtected!: boolean;
  @JsonColumn() readonly tags!: readonly string[];
  /** Size of the uploaded data, which is not stored; null if no data was uploaded. */
  @IntegerColumn({ nullable: true }) readonly sizeBytes!: number | null;
  @TextColumn({ nullable: true }) readonly md5!: string | null;
  @TextColumn({ nullable: true }) readonly sha512!: string | null;
}
