// The MySQL connections of one process. A gate limits the callers, so the pool has no queue. One timer checks the time
// limits of all statements and pings idle connections. A dead connection closes all silent ones, because connections
// usually die together.
import { DATABASE_LIMITS } from '../config/limits/database';
import type { Connection, ConnectionSource, PoolCounts } from './connections';
import type { MysqlTarget } from './data-source';
import { MysqlConnection } from './mysql-connection';
import type { HostsLog } from './mysql-hosts';
import { MysqlHosts } from './mysql-hosts';

type PoolTimes = Record<'hostSkipMs' | 'silentLookMs', number>;

export class MysqlPool implements ConnectionSource {
  private readonly hosts: MysqlHosts;
  private idle: MysqlConnection[] = [];
  private readonly busy = new Set<MysqlConnection>();
  private readonly timer: NodeJS.Timeout;
  private sweptAt = performance.now();
  private lookedAt = performance.now();
  private isClosed = false;

  constructor(
    target: MysqlTarget,
    log: HostsLog,
    private readonly times: PoolTimes = DATABASE_LIMITS,
  ) {
    this.hosts = new MysqlHosts(target, (connection) => this.takeBack(connection), log, times.hostSkipMs);
    this.timer = setInterval(() => this.sweep(), DATABASE_LIMITS.sweepMs).unref();
  }

  get counts(): PoolCounts {
    return { busy: this.busy.size, idle: this.idle.length };
  }

  /** Number of open connections, for tests. */
  get size(): number {
    return this.idle.length + this.busy.size;
  }

  async acquire(): Promise<Connection> {
    for (;;) {
      if (this.isClosed) throw new Error('the database was closed');
      const kept = this.idle.pop();
      if (kept === undefined) return this.opened();
      if (kept.host !== this.hosts.host) {
        kept.destroy();
        continue;
      }
      this.busy.add(kept);
      if (await kept.isAlive(performance.now())) return kept;
    }
  }

  distrust(connection: Connection): void {
    if (connection instanceof MysqlConnection) this.hosts.skip(connection.host);
    // Idle connections go to the same host; the next one is opened to a host that serves.
    this.destroyIdle(() => true);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    await Promise.all(this.idle.map((connection) => connection.close()));
    for (const connection of this.busy) connection.destroy();
  }

  private async opened(): Promise<Connection> {
    for (;;) {
      const connection = await this.hosts.open();
      if (this.isClosed) {
        connection.destroy();
        throw new Error('the database was closed');
      }
      if (connection.endedBy !== undefined) continue;
      this.busy.add(connection);
      connection.onEnd(() => this.forget(connection));
      return connection;
    }
  }

  private takeBack(connection: MysqlConnection): void {
    if (!this.busy.delete(connection)) return;
    if (this.isClosed || connection.host !== this.hosts.host) connection.destroy();
    else this.idle.push(connection);
  }

  private forget(connection: MysqlConnection): void {
    this.busy.delete(connection);
    this.idle = this.idle.filter((each) => each !== connection);
  }

  private destroyIdle(which: (connection: MysqlConnection) => boolean): void {
    for (const connection of this.idle.filter(which)) connection.destroy();
  }

  private sweep(): void {
    const now = performance.now();
    const isLate = now - this.sweptAt > SWEEPS_MISSED_MAX * DATABASE_LIMITS.sweepMs;
    this.sweptAt = now;
    // This process was blocked itself; answers that arrived meanwhile are still unread.
    if (isLate) return;
    for (const connection of [...this.busy]) {
      const askedAt = connection.sweep(now);
      if (askedAt !== undefined) this.destroyIdle((each) => each.isSilentSince(askedAt));
    }
    if (now - this.lookedAt < this.times.silentLookMs) return;
    this.lookedAt = now;
    this.lookAtSilent(now);
  }

  /** Pings idle connections, to detect dead ones early and to keep the server from closing them. */
  private lookAtSilent(now: number): void {
    const silent = this.idle.filter((connection) => connection.isSilentSince(now - DATABASE_LIMITS.idleLookMs));
    this.idle = this.idle.filter((connection) => !silent.includes(connection));
    for (const connection of silent) {
      this.busy.add(connection);
      void connection.isAlive(now).then((isAlive) => {
        if (isAlive) this.takeBack(connection);
      });
    }
  }
}

/** If the timer fires this many periods late, the delay is in this process, not in the database. */
const SWEEPS_MISSED_MAX = 10;
