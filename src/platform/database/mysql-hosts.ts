// Selects the host of a new connection: the first configured host that is ready and writable. A failed host is skipped
// for a while; after that new connections prefer it again. Idle connections to other hosts are closed.
import { DATABASE_LIMITS } from '../config/limits/database';
import type { Credentials, DatabaseTarget, HostAddress, MysqlTarget } from './data-source';
import { MYSQL } from './dialects';
import type { MysqlConnection } from './mysql-connection';
import { openMysql } from './mysql-connection';

export interface HostsLog {
  warn(fields: object, message: string): void;
}

export class MysqlHosts {
  private current = 0;
  /** For each host, the time until which it is tried last, by `performance.now()`. */
  private readonly skippedUntil: number[];
  private credentials: Credentials;
  private lastReread = -Infinity;

  constructor(
    private readonly target: MysqlTarget,
    private readonly giveBack: (connection: MysqlConnection) => void,
    private readonly log: HostsLog,
    private readonly skipMs: number,
  ) {
    this.credentials = { user: target.user, password: target.password };
    this.skippedUntil = target.hosts.map(() => -Infinity);
  }

  get credentialsNow(): Credentials {
    return this.credentials;
  }

  /** The host of the newest connection. */
  get host(): HostAddress {
    return this.hostAt(this.current);
  }

  /** The host failed or cannot serve: other hosts are tried before it for a while. */
  skip(host: HostAddress): void {
    const index = this.target.hosts.indexOf(host);
    if (index >= 0) this.skippedUntil[index] = performance.now() + this.skipMs;
  }

  /**
   * Opens a connection to the first host that serves: first hosts that are not skipped, in order, then the others. If
   * none is writable, connects to the first that is ready. Throws the error of the first host that was tried.
   */
  async open(): Promise<MysqlConnection> {
    let readOnly: MysqlConnection | undefined;
    let failure: unknown;
    for (const host of this.inOrder()) {
      let connection: MysqlConnection;
      try {
        connection = await this.openReady(host);
      } catch (error) {
        failure ??= error;
        this.skip(host);
        continue;
      }
      if (!connection.isReadOnly || this.target.hosts.length === 1) {
        readOnly?.destroy();
        return this.using(connection);
      }
      this.skip(host);
      if (readOnly === undefined) readOnly = connection;
      else connection.destroy();
    }
    if (readOnly === undefined) throw failure;
    return this.using(readOnly);
  }

  private inOrder(): readonly HostAddress[] {
    const now = performance.now();
    const isSkipped = (_host: HostAddress, index: number): boolean => (this.skippedUntil[index] ?? now) > now;
    const { hosts } = this.target;
    return [...hosts.filter((host, index) => !isSkipped(host, index)), ...hosts.filter(isSkipped)];
  }

  private using(connection: MysqlConnection): MysqlConnection {
    const index = this.target.hosts.indexOf(connection.host);
    if (index === this.current) return connection;
    const from = `${this.host.host}:${this.host.port}`;
    this.current = index;
    const to = `${this.host.host}:${this.host.port}`;
    this.log.warn({ from, to }, 'another host of the database is used from now on');
    return connection;
  }

  private async openReady(host: HostAddress): Promise<MysqlConnection> {
    const connection = await this.openAt(host);
    if (this.target.hosts.length === 1) return connection;
    try {
      if (await connection.isReadyNode()) return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
    connection.destroy();
    throw new NotReady(`${host.host} is not ready`);
  }

  /** The operator can have changed a refused password, so the configuration is read again. */
  private async openAt(host: HostAddress): Promise<MysqlConnection> {
    const { credentials } = this;
    try {
      return await openMysql(this.target, host, credentials, this.giveBack);
    } catch (error) {
      if (MYSQL.classify(error) !== 'denied') throw error;
      if (credentials === this.credentials && !this.hasNewCredentials()) throw error;
      return openMysql(this.target, host, this.credentials, this.giveBack);
    }
  }

  private hasNewCredentials(): boolean {
    const now = performance.now();
    if (now - this.lastReread < DATABASE_LIMITS.rereadMs) return false;
    this.lastReread = now;
    const found = this.reread();
    if (found === undefined) return false;
    const { user, password } = this.credentials;
    if (found.user === user && found.password === password) return false;
    this.credentials = found;
    this.log.warn(
      { user: found.user },
      'the database refused the password; the one that the configuration has now is used',
    );
    return true;
  }

  private reread(): Credentials | undefined {
    try {
      return this.target.reread?.();
    } catch (error) {
      this.log.warn({ err: error }, 'the configuration cannot be read again; the password that was refused stays');
      return undefined;
    }
  }

  private hostAt(index: number): HostAddress {
    const host = this.target.hosts[index];
    if (host === undefined) throw new Error(`there is no host ${index} in the address of the database`);
    return host;
  }
}

/** The same target with the host in front that can serve now, for migrations. */
export async function settledTarget(target: DatabaseTarget, log: HostsLog): Promise<DatabaseTarget> {
  if (target.kind === 'sqlite') return target;
  const hosts = new MysqlHosts(target, (connection) => connection.destroy(), log, DATABASE_LIMITS.hostSkipMs);
  (await hosts.open()).destroy();
  const { host } = hosts;
  return { ...target, ...hosts.credentialsNow, hosts: [host, ...target.hosts.filter((each) => each !== host)] };
}

/** Has the error number that a node that is not ready gives to a statement. */
class NotReady extends Error {
  readonly errno = 1047;
}
