// Data of a flavor that the Compute API shows but scheduling does not read.
import { Entity } from 'typeorm';
import { FlagColumn, TextColumn } from '../../../platform/database/columns';

/** Deleted with its flavor. A flavor without such a row is public and has no description. */
@Entity('facade_flavors')
export class ComputeFlavorFacts {
  @TextColumn({ primary: true }) readonly flavorId!: string;
  @FlagColumn() readonly isPublic!: boolean;
  @TextColumn({ nullable: true }) readonly description!: string | null;
}

/** A project with access to a flavor that is not public. */
@Entity('facade_flavor_access')
export class ComputeFlavorAccess {
  @TextColumn({ primary: true }) readonly flavorId!: string;
  @TextColumn({ primary: true }) readonly projectId!: string;
}
