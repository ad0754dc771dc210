// Records requests and statuses of the cases for the matrix. Off unless a folder is configured.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

interface Exchange {
  readonly caseName: string;
  readonly method: string;
  readonly path: string;
  readonly version: string | null;
  readonly status: number;
}

export const REPORT_FOLDER = process.env['BERTH_CONFORMANCE_REPORT'];

export class Recorder {
  private readonly exchanges: Exchange[] = [];

  record(exchange: Exchange): void {
    if (REPORT_FOLDER !== undefined) this.exchanges.push(exchange);
  }

  /** Appends the records to the folder's file of this process. */
  write(): void {
    if (REPORT_FOLDER === undefined || this.exchanges.length === 0) return;
    const lines = this.exchanges.map((exchange) => `${JSON.stringify(exchange)}\n`);
    appendFileSync(join(REPORT_FOLDER, `exchanges-${process.pid}.jsonl`), lines.join(''));
    this.exchanges.length = 0;
  }
}
