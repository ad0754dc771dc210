// What the Compute API knows of a flavor and scheduling does not ask.
import { Entity } from 'typeorm';
import { FlagColumn, TextColumn } from '../../../database/columns';

/** Gone with its flavor. A flavor without such a row is public, and has no description. */
@Entity('facade_flavors')
export class ComputeFlavorFacts {
  @TextColumn({ primary: true }) readonly flavorId!: string;
  @FlagColumn() readonly isPublic!: boolean;
  @TextColumn({ nullable: true }) readonly description!: string | null;
}

/** A project that sees a flavor which is not public. */
@Entity('facade_flavor_access')
export class ComputeFlavorAccess {
  @TextColumn({ primary: true }) readonly flavorId!: string;
  @TextColumn({ primary: true }) readonly projectId!: string;
}
