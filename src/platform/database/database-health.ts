// Health of the database for probes: one small read and one small write, at a limited rate. The answer arrives within a
// time limit even while the database hangs, and does not wait behind queued requests.
import { DATABASE_LIMITS } from '../config/limits/database';
import { within } from '../event-loop/within';
import { DomainError, Unavailable } from '../values/errors';
import type { Database } from './database';
import type { WriteTx } from './sql';

interface Verdict {
  readonly works: boolean;
  /** The reason of a failure, in one sentence. */
  readonly reason?: string;
}

export interface Health {
  readonly reads: Verdict;
  readonly writes: Verdict;
}

interface HealthLog {
  warn(fields: object, message: string): void;
}

export class DatabaseHealth {
  private readonly reads: Probe;
  private readonly writes: Probe;
  /** The row that the probe writes: a lane of this process with no other use. */
  private row: number | undefined;

  constructor(
    private readonly db: Database,
    private readonly processName: string,
    log: HealthLog,
  ) {
    this.reads = new Probe('reads', () => this.read(), log);
    this.writes = new Probe('writes', () => this.write(), log);
  }

  async look(): Promise<Health> {
    const [reads, writes] = await Promise.all([this.reads.look(), this.writes.look()]);
    return { reads, writes };
  }

  private async read(): Promise<void> {
    await this.db.aside((sql) => sql.query('SELECT id FROM resource_classes WHERE id = 0'));
  }

  /** A recent commit proves that writes work. */
  private async write(): Promise<void> {
    if (performance.now() - this.db.lastCommitAt < DATABASE_LIMITS.probeEveryMs) return;
    // SQLite has one writing connection, so the probe must wait for it.
    if (this.db.dialect.name === 'sqlite') await this.db.write((tx) => this.touchRow(tx));
    else await this.db.aside((sql) => this.touchRow(sql));
  }

  private async touchRow(sql: Pick<WriteTx, 'run' | 'insert'>): Promise<void> {
    const now = this.db.dialect.nowSeconds;
    const known = this.row;
    if (known !== undefined) {
      const touched = await sql.run(`UPDATE writer_lanes SET renewed_at = ${now} WHERE id = ?`, [known]);
      if (touched > 0) return;
    }
    // The row was never written, or another process retired it meanwhile.
    this.row = await sql.insert(
      `INSERT INTO writer_lanes (process, created_at, renewed_at) VALUES (?, ${now}, ${now})`,
      [`${this.processName} probe`],
    );
  }
}

/** One check, run at a limited rate and at most once at a time. */
class Probe {
  private verdict: Verdict = { works: true };
  private began = -Infinity;
  private looking: Promise<Verdict> | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly what: string,
    private readonly attempt: () => Promise<void>,
    private readonly log: HealthLog,
  ) {}

  async look(): Promise<Verdict> {
    if (this.looking !== undefined) return this.looking;
    // A check that timed out and is still running keeps its last verdict.
    if (this.running !== undefined || performance.now() - this.began < DATABASE_LIMITS.probeEveryMs)
      return this.verdict;
    this.looking = this.judge().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async judge(): Promise<Verdict> {
    this.began = performance.now();
    const attempt = this.attempt();
    this.running = attempt.catch(() => undefined).finally(() => (this.running = undefined));
    try {
      await within(DATABASE_LIMITS.probeTimeoutMs, attempt, () => {
        throw new Unavailable(LATE);
      });
      return this.conclude({ works: true });
    } catch (error) {
      return this.conclude({ works: false, reason: error instanceof DomainError ? error.message : FAILED }, error);
    }
  }

  private conclude(verdict: Verdict, error?: unknown): Verdict {
    if (verdict.works !== this.verdict.works) {
      const { reason } = verdict;
      const message = verdict.works ? 'the database serves again' : 'the database does not serve';
      this.log.warn({ what: this.what, ...(reason !== undefined && { reason, err: error }) }, message);
    }
    this.verdict = verdict;
    return verdict;
  }
}

const LATE = 'The database does not answer in time.';
const FAILED = 'The database failed; see the log.';
