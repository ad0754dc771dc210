// What the rows of all registries have.
import { IntegerColumn, RowId } from '../database/columns';
import { Dated } from '../database/dated.entity';

export abstract class Registered extends Dated {
  @RowId() readonly rowId!: number;
  /** Raised by every write; whoever rewrites a document says which one was read. */
  @IntegerColumn({ insert: false }) readonly generation!: number;
}
