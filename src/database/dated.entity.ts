// What every row has that is changed in place.
import { TimeColumn } from './columns';

export abstract class Dated {
  @TimeColumn({ update: false }) readonly createdAtMs!: number;
  @TimeColumn({ nullable: true }) readonly updatedAtMs!: number | null;
}
