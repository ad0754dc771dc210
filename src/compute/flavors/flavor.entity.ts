import { Entity } from 'typeorm';
import { IntegerColumn, JsonColumn, TextColumn } from '../../platform/database/columns';
import { Registered } from '../registered.entity';

/** The id is any text. Names are unique too. */
@Entity('flavors')
export class RegisteredFlavor extends Registered {
  @TextColumn({ name: 'flavor_id', update: false }) readonly id!: string;
  @TextColumn() readonly name!: string;
  @IntegerColumn() readonly vcpus!: number;
  @IntegerColumn() readonly memoryMb!: number;
  @IntegerColumn() readonly rootGb!: number;
  @IntegerColumn() readonly ephemeralGb!: number;
  @IntegerColumn() readonly swapMb!: number;
  @JsonColumn() readonly extraSpecs!: Readonly<Record<string, string>>;
}
