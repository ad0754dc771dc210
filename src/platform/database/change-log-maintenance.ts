// Bounds the change log: renews this process's lanes, trims rows past their retention, retires silent lanes. A lane
// that was not renewed for a tenth of the retention belongs to a dead process; it is deleted with its last row.
import { CHANGE_LOG_LIMITS } from '../config/limits/database';
import type { Database } from './database';
import { marks } from './sql';

interface MaintenanceLog {
  warn(fields: object, message: string): void;
}

export class ChangeLogMaintenance {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly retentionSeconds: number,
    private readonly log: MaintenanceLog,
  ) {}

  /** Renewal must be much faster than the tenth of the retention after which other processes retire a lane. */
  start(): void {
    const everyMs = (this.retentionSeconds * CHANGE_LOG_LIMITS.transactionShareOfRetention * 1000) / 4;
    this.timer = setInterval(() => {
      this.running = this.round().then(
        () => undefined,
        (error: unknown) => {
          this.log.warn({ err: error }, 'maintenance of the change log failed; the next round tries again');
        },
      );
    }, everyMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** One round, for the timer and for tests; returns the number of trimmed rows. */
  async round(): Promise<number> {
    await this.renew();
    const trimmed = await this.trim();
    await this.retireIdleLanes();
    return trimmed;
  }

  private async renew(): Promise<void> {
    const lanes = this.db.laneIds;
    if (lanes.length === 0) return;
    await this.db.write((tx) =>
      tx.run(
        `UPDATE writer_lanes SET renewed_at = ${tx.dialect.nowSeconds} WHERE id IN (${marks(lanes.length)})`,
        lanes,
      ),
    );
  }

  /** Deletes few rows per transaction, to keep the wait of writers short. */
  private async trim(): Promise<number> {
    const rowsPerRound = CHANGE_LOG_LIMITS.rowsPerTrim;
    for (let trimmed = 0; ;) {
      const gone = await this.db.write(async (tx) => {
        const old = await tx.query<{ lane: number; seq: number }>(
          `SELECT lane, MAX(seq) AS seq FROM (SELECT lane, seq FROM change_log ` +
            `WHERE created_at < ${tx.dialect.nowSeconds} - ? ORDER BY created_at LIMIT ${rowsPerRound}) old GROUP BY lane`,
          [this.retentionSeconds],
        );
        let rows = 0;
        // Deletes whole prefixes of lanes, so a reader never sees a gap in a lane. A row that its lane committed before
        // an expired row has expired too, even if the clock was set back.
        for (const { lane, seq } of old) {
          rows += await tx.run('DELETE FROM change_log WHERE lane = ? AND seq <= ?', [lane, seq]);
        }
        return rows;
      });
      trimmed += gone;
      if (gone < rowsPerRound) return trimmed;
    }
  }

  private async retireIdleLanes(): Promise<void> {
    const idleFor = this.retentionSeconds * CHANGE_LOG_LIMITS.transactionShareOfRetention;
    await this.db.write((tx) =>
      tx.run(
        `DELETE FROM writer_lanes WHERE renewed_at < ${tx.dialect.nowSeconds} - ? ` +
          'AND NOT EXISTS (SELECT 1 FROM change_log WHERE change_log.lane = writer_lanes.id)',
        [idleFor],
      ),
    );
  }
}
