import { Entity } from 'typeorm';
import { JsonColumn, TextColumn } from '../../platform/database/columns';
import type { Uuid } from '../../platform/values/uuid';
import { Registered } from '../registered.entity';

/** The part of an image that scheduling reads. Names need not be unique. */
@Entity('images')
export class RegisteredImage extends Registered {
  @TextColumn({ update: false }) readonly uuid!: Uuid;
  @TextColumn({ nullable: true }) readonly name!: string | null;
  @TextColumn({ nullable: true }) readonly diskFormat!: string | null;
  @JsonColumn() readonly properties!: Readonly<Record<string, string>>;
}
