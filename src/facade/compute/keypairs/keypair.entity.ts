import { Entity } from 'typeorm';
import { TextColumn, TimeColumn } from '../../../database/columns';

/** A public key that servers name. It belongs to a user, whatever the project. */
@Entity('facade_keypairs')
export class Keypair {
  @TextColumn({ primary: true }) readonly userId!: string;
  @TextColumn({ primary: true }) readonly name!: string;
  @TextColumn() readonly publicKey!: string;
  @TimeColumn() readonly createdAtMs!: number;
}
