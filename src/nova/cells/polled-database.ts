// A database that is read again and again over one connection: one poll at a time, bounded waits, and a state that tells
// whether its last data can be used. Errors become the state's reason; they are not thrown.
import type { ForeignMysql } from '../../platform/database/foreign-mysql';
import { DatabaseUnreadable } from '../../platform/database/foreign-mysql';
import type { NovaDatabase } from '../conf/database-url';
import type { PollSettings } from './limits';
import { NOVA_LIMITS } from './limits';
import { openNova } from './nova-connection';
import type { CellState, DatabaseStatus } from './nova-facts';

export abstract class PolledDatabase {
  private connection: ForeignMysql | undefined;
  private running: { readonly startedAtMs: number; readonly end: Promise<void> } | undefined;
  private failure: { readonly reason: string; readonly atMs: number } | undefined;
  private succeededAtMs: number | null = null;
  private schemaVersion: string | null = null;
  private isStopped = false;
  /** False: the next poll reads everything from the start. */
  protected isLoaded = false;

  constructor(
    /** The address, or why there is none. */
    private readonly database: NovaDatabase | { readonly problem: string },
    protected readonly times: PollSettings,
    /** Called after each poll, never throws; with an error that is no problem of the database, which is a fault of this program. */
    private readonly onPolled: (fault: unknown) => Promise<void>,
  ) {}

  /** One poll. Throws DatabaseUnreadable. */
  protected abstract read(connection: ForeignMysql): Promise<void>;

  /** Forgets all rows. */
  protected abstract reset(): void;

  stateAt(nowMs: number): CellState {
    if (this.failure !== undefined) return 'unreachable';
    if (this.succeededAtMs === null) return 'loading';
    return nowMs - this.succeededAtMs > this.times.cellStaleMs ? 'unreachable' : 'ready';
  }

  statusAt(nowMs: number): DatabaseStatus {
    const state = this.stateAt(nowMs);
    const reasons: Readonly<Record<CellState, string | null>> = {
      ready: null,
      loading: 'The first read has not finished.',
      unreachable: this.failure?.reason ?? `The last data is older than ${this.times.cellStaleMs / 1000} s.`,
    };
    return { state, reason: reasons[state], readAtMs: this.succeededAtMs, schemaVersion: this.schemaVersion };
  }

  /** Polls unless the data is recent enough. Does not wait for a slow poll, a first load, or a database that failed. */
  async upTo(maxAgeMs: number): Promise<void> {
    const now = Date.now();
    const { running } = this;
    if (running !== undefined) {
      const isSlow = now - running.startedAtMs > this.times.waitMs;
      if (isSlow || !this.isLoaded) return;
      await running.end;
      if (running.startedAtMs >= now - maxAgeMs) return;
    }
    if (this.succeededAtMs !== null && this.failure === undefined && this.succeededAtMs >= now - maxAgeMs) return;
    if (this.failure !== undefined && now - this.failure.atMs < this.times.retryEveryMs) return;
    const poll = this.poll();
    if (this.isLoaded && this.failure === undefined) await poll;
  }

  /** Polls now, or waits for the poll that runs. */
  async poll(): Promise<void> {
    if (this.running !== undefined) return this.running.end;
    if (this.isStopped) return;
    const startedAtMs = Date.now();
    const end = this.pollOnce(startedAtMs);
    this.running = { startedAtMs, end };
    await end;
  }

  /** A read outside the polls failed: until the next poll succeeds, the data is not used. */
  protected async failed(reason: string): Promise<void> {
    this.failure = { reason, atMs: Date.now() };
    await this.onPolled(undefined);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.connection?.close();
    await this.running?.end;
  }

  /** Never throws. */
  private async pollOnce(startedAtMs: number): Promise<void> {
    let fault: unknown;
    try {
      if ('problem' in this.database) throw new DatabaseUnreadable(this.database.problem);
      await this.readFrom(this.database, startedAtMs);
      this.failure = undefined;
      this.succeededAtMs = startedAtMs;
      this.isLoaded = true;
    } catch (error) {
      this.connection?.close();
      this.connection = undefined;
      if (!(error instanceof DatabaseUnreadable)) fault = error;
      this.failure = { reason: error instanceof Error ? error.message : String(error), atMs: Date.now() };
    }
    // A caller that waits for this poll must see its result, so the poll ends with the listener.
    await this.onPolled(fault);
    this.running = undefined;
  }

  private async readFrom(database: NovaDatabase, startedAtMs: number): Promise<void> {
    const isLongAgo = this.succeededAtMs !== null && startedAtMs - this.succeededAtMs > NOVA_LIMITS.reloadAfterMs;
    if (!this.isLoaded || isLongAgo) {
      this.isLoaded = false;
      this.reset();
    }
    if (this.connection?.isOpen !== true) {
      this.connection = await openNova(database);
      this.schemaVersion = await schemaVersionOf(this.connection);
    }
    if (this.isStopped) throw new DatabaseUnreadable('The reader was stopped.');
    await this.read(this.connection);
  }
}

/** Null if the user cannot read the table: nothing depends on it. */
async function schemaVersionOf(connection: ForeignMysql): Promise<string | null> {
  try {
    const [row] = await connection.rows<{ readonly version: string }>(
      'SELECT version_num AS version FROM alembic_version LIMIT 1',
    );
    return row?.version ?? null;
  } catch (error) {
    if (error instanceof DatabaseUnreadable && connection.isOpen) return null;
    throw error;
  }
}
