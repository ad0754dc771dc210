// Columns of every row that is updated in place.
import { TimeColumn } from './columns';

export abstract class Dated {
  @TimeColumn({ update: false }) readonly createdAtMs!: number;
  @TimeColumn({ nullable: true }) readonly updatedAtMs!: number | null;
}
