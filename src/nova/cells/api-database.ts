// nova's API database, read again by polls.
import type { ForeignMysql } from '../../platform/database/foreign-mysql';
import type { ApiChanges } from './api-tables';
import { ApiTables } from './api-tables';
import { PolledDatabase } from './polled-database';

const NO_CHANGES: ApiChanges = { areCellsChanged: false, hosts: new Set(), aggregateIds: [] };

export class ApiDatabase extends PolledDatabase {
  readonly tables = new ApiTables();
  private changes: ApiChanges = NO_CHANGES;
  private readWholeAtMs = 0;

  /** The next poll reads all rows. */
  readAllNext(): void {
    this.readWholeAtMs = 0;
  }

  /** What the last poll found. */
  takeChanges(): ApiChanges {
    const { changes } = this;
    this.changes = NO_CHANGES;
    return changes;
  }

  protected override reset(): void {
    this.readAllNext();
  }

  protected override async read(connection: ForeignMysql): Promise<void> {
    const now = Date.now();
    const isWhole = now - this.readWholeAtMs >= this.times.apiEveryMs;
    this.changes = await connection.snapshot((snapshot) => this.tables.read(snapshot, this.times.overlapMs, isWhole));
    if (isWhole) this.readWholeAtMs = now;
  }
}
