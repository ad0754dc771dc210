// Fills the reference's schema: buffers rows and commits them in batches.
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import { chunks } from '../../platform/database/sql';
import type { Row } from '../rows';
import { insertRows } from '../rows';
import type { ReferenceConnection } from './connection.loader';

export class ReferenceWriter {
  private readonly waiting: { readonly table: string; readonly rows: readonly Row[] }[] = [];
  private waitingRows = 0;

  constructor(readonly connection: ReferenceConnection) {}

  /** Buffers rows of one table, which must have the same columns. Rows are written in the order of the calls. */
  async insert(table: string, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    this.waiting.push({ table, rows });
    this.waitingRows += rows.length;
    if (this.waitingRows >= TRANSFER_LIMITS.rowsPerWrite) await this.flush();
  }

  async flush(): Promise<void> {
    const waiting = this.waiting.splice(0);
    this.waitingRows = 0;
    if (waiting.length === 0) return;
    await this.connection.transaction(async () => {
      for (const { table, rows } of waiting) {
        for (const part of chunks(rows, TRANSFER_LIMITS.rowsPerInsert)) {
          await insertRows(this.connection, table, part);
        }
      }
    });
  }
}
