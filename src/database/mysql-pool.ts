// The connections of one process to MySQL. A gate stands before it, so nobody waits here. One timer compares all
// statements with their limits and looks after silent connections; one that is dead takes the silent ones with it, for
// connections seldom die alone.
import { DATABASE_LIMITS } from '../config/limits';
import type { Connection, ConnectionSource, PoolCounts } from './connections';
import type { MysqlTarget } from './data-source';
import { MysqlHosts } from './mysql-hosts';
import type { HostsLog } from './mysql-hosts';
import { MysqlConnection } from './mysql-connection';

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

  /** Connections that are open, for tests. */
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
    // Idle connections lead to the same host; the next one is opened where the database serves.
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
    // The process itself was held up: what was answered meanwhile has yet to be read.
    if (isLate) return;
    for (const connection of [...this.busy]) {
      const askedAt = connection.sweep(now);
      if (askedAt !== undefined) this.destroyIdle((each) => each.isSilentSince(askedAt));
    }
    if (now - this.lookedAt < this.times.silentLookMs) return;
    this.lookedAt = now;
    this.lookAtSilent(now);
  }

  /** So that they are known to be there when they are needed, and the server knows the same of us. */
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

/** A timer that comes this many times too late says more about this process than about the database. */
const SWEEPS_MISSED_MAX = 10;
