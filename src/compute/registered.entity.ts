// Columns that the tables of all registries have.
import { IntegerColumn, RowId } from '../platform/database/columns';
import { Dated } from '../platform/database/dated.entity';

export abstract class Registered extends Dated {
  @RowId() readonly rowId!: number;
  /** Incremented by every write. A client that replaces a document names the generation that it read. */
  @IntegerColumn({ insert: false }) readonly generation!: number;
}
