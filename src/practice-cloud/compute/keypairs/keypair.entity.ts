import { Entity } from 'typeorm';
import { TextColumn, TimeColumn } from '../../../platform/database/columns';

/** A public key for servers. It belongs to a user, independent of the project. */
@Entity('facade_keypairs')
export class Keypair {
  @TextColumn({ primary: true }) readonly userId!: string;
  @TextColumn({ primary: true }) readonly name!: string;
  @TextColumn() readonly publicKey!: string;
  @TimeColumn() readonly createdAtMs!: number;
}
