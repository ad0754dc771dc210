// Which host of the address is used: the first that may serve, until it does not; back to a preferred one only after that
// was well for a while. One process uses one host at a time, so that its searches see its own claims.
import { DATABASE_LIMITS } from '../config/limits';
import { MYSQL } from './dialects';
import type { Credentials, DatabaseTarget, HostAddress, MysqlTarget } from './data-source';
import { openMysql } from './mysql-connection';
import type { MysqlConnection } from './mysql-connection';

export interface HostTimes {
  readonly hostLookMs: number;
  readonly hostWellMs: number;
  readonly suspectAfterMs: number;
  readonly suspectedAnswerMs: number;
}

export interface HostsLog {
  warn(fields: object, message: string): void;
}

interface Found {
  readonly index: number;
  readonly connection: MysqlConnection;
  readonly isFit: boolean;
}

export class MysqlHosts {
  private current = 0;
  /** Whether the current host may serve has to be found out first. */
  private isDoubted: boolean;
  private choosing: Promise<void> | undefined;
  private lastFailure: { readonly at: number; readonly error: Error } | undefined;
  private wellSince: number | undefined;
  private credentials: Credentials;
  private lastReread = -Infinity;
  private lastDoubt = -Infinity;
  private lastSuspicion = -Infinity;
  private isLooking = false;

  constructor(
    private readonly target: MysqlTarget,
    private readonly giveBack: (connection: MysqlConnection) => void,
    /** Called before another host is used: nobody may go on with the former one. */
    private readonly leave: (isAlive: boolean) => Promise<void>,
    private readonly log: HostsLog,
    private readonly times: HostTimes = DATABASE_LIMITS,
  ) {
    this.credentials = { user: target.user, password: target.password };
    this.isDoubted = target.hosts.length > 1;
  }

  get credentialsNow(): Credentials {
    return this.credentials;
  }

  get host(): HostAddress {
    return this.hostAt(this.current);
  }

  /** The current host may not be the right one any more; the next connection finds out. */
  doubt(): void {
    const now = performance.now();
    if (this.target.hosts.length === 1 || now - this.lastDoubt < DATABASE_LIMITS.rereadMs) return;
    this.lastDoubt = now;
    this.isDoubted = true;
  }

  /**
   * The host in use has owed an answer for long: it is asked beside that whether it answers at all. If it does not,
   * another one is used, and nobody waits for it any longer; if no other serves, it stays.
   */
  async suspect(): Promise<void> {
    const now = performance.now();
    if (this.target.hosts.length === 1 || this.isChanging || this.isLooking) return;
    if (now - this.lastSuspicion < this.times.suspectAfterMs) return;
    this.lastSuspicion = now;
    this.isLooking = true;
    const suspected = this.current;
    try {
      const found = await this.lookAt(suspected, this.times.suspectedAnswerMs).catch(() => undefined);
      found?.connection.destroy();
      if (found !== undefined || this.isChanging || suspected !== this.current) return;
      const others = this.target.hosts.map((_, index) => index).filter((index) => index !== suspected);
      const other = await this.firstFit(others).catch(() => undefined);
      other?.connection.destroy();
      if (other !== undefined && !this.isChanging && suspected === this.current) await this.use(other.index, false);
    } finally {
      this.isLooking = false;
    }
  }

  /** A connection to the host in use; to another one where that does not serve. */
  async open(): Promise<MysqlConnection> {
    if (!this.isDoubted) {
      const index = this.current;
      try {
        return await this.openAt(index);
      } catch (error) {
        if (this.target.hosts.length === 1) throw error;
        if (index === this.current) this.isDoubted = true;
      }
    }
    await this.choose();
    return this.openAt(this.current);
  }

  /** Looks whether a preferred host may be used again, and uses it once it was well for long. */
  async look(now: number): Promise<void> {
    if (this.current === 0 || this.isChanging || this.isLooking) return;
    this.isLooking = true;
    const preferred = this.target.hosts.slice(0, this.current).map((_, index) => index);
    const better = await this.firstFit(preferred).catch(() => undefined);
    this.isLooking = false;
    better?.connection.destroy();
    if (this.isChanging) return;
    if (better?.isFit !== true || better.index >= this.current) {
      this.wellSince = undefined;
      return;
    }
    this.wellSince ??= now;
    if (now - this.wellSince < this.times.hostWellMs) return;
    await this.use(better.index, true);
  }

  private get isChanging(): boolean {
    return this.isDoubted || this.choosing !== undefined;
  }

  /** One choice at a time, which all who need it wait for; a choice that failed is not made again at once. */
  private async choose(): Promise<void> {
    if (this.choosing === undefined) {
      const failure = this.lastFailure;
      if (failure !== undefined && performance.now() - failure.at < DATABASE_LIMITS.chooseEveryMs) throw failure.error;
      this.choosing = this.chooseAmongAll().finally(() => (this.choosing = undefined));
    }
    return this.choosing;
  }

  private async chooseAmongAll(): Promise<void> {
    try {
      const found = await this.firstFit(this.target.hosts.map((_, index) => index));
      found.connection.destroy();
      if (found.index !== this.current) await this.use(found.index, false);
      this.isDoubted = false;
      this.lastFailure = undefined;
    } catch (error) {
      this.lastFailure = { at: performance.now(), error: error as Error };
      throw error;
    }
  }

  /**
   * All are asked at once, the first in order that may serve is taken; where none may write, the first that answers.
   * Throws the error of the most preferred one when none does.
   */
  private async firstFit(indexes: readonly number[]): Promise<Found> {
    const asked = indexes.map((index) => this.lookAt(index));
    // Each is waited for in its turn; until then its failure is no surprise.
    for (const answer of asked) answer.catch(() => undefined);
    let fallback: Found | undefined;
    let taken: Found | undefined;
    let failure: unknown;
    for (const answer of asked) {
      try {
        const found = await answer;
        if (found.isFit) taken = found;
        else fallback ??= found;
      } catch (error) {
        failure ??= error;
      }
      if (taken !== undefined) break;
    }
    const chosen = taken ?? fallback;
    for (const answer of asked) {
      // Also those that are not waited for any more, when they come.
      const end = (found: Found): void => found.connection.destroy();
      answer.then((found) => (found === chosen ? undefined : end(found))).catch(() => undefined);
    }
    if (chosen === undefined) throw failure;
    return chosen;
  }

  private async lookAt(index: number, withinMs: number = DATABASE_LIMITS.connectTimeoutMs): Promise<Found> {
    const connection = await this.openAt(index, withinMs);
    const late = setTimeout(() => connection.giveUp(), withinMs);
    try {
      if (!(await connection.isReadyNode())) throw new NotReady(`${this.hostAt(index).host} is not ready`);
    } catch (error) {
      connection.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
    return { index, connection, isFit: !connection.isReadOnly };
  }

  private async use(index: number, isFormerAlive: boolean): Promise<void> {
    const from = `${this.host.host}:${this.host.port}`;
    this.current = index;
    this.wellSince = undefined;
    await this.leave(isFormerAlive);
    this.log.warn(
      { from, to: `${this.host.host}:${this.host.port}` },
      'another host of the database is used from now on',
    );
  }

  /** A password that is refused may have been changed: the configuration is read again. */
  private async openAt(index: number, withinMs?: number): Promise<MysqlConnection> {
    const { credentials } = this;
    try {
      return await openMysql(this.target, this.hostAt(index), credentials, this.giveBack, withinMs);
    } catch (error) {
      if (MYSQL.classify(error) !== 'denied') throw error;
      if (credentials === this.credentials && !this.hasNewCredentials()) throw error;
      return openMysql(this.target, this.hostAt(index), this.credentials, this.giveBack);
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

/** The same address with the host in front that may serve now, which is where to migrate. */
export async function settledTarget(target: DatabaseTarget, log: HostsLog): Promise<DatabaseTarget> {
  if (target.kind === 'sqlite') return target;
  const hosts = new MysqlHosts(
    target,
    (connection) => connection.destroy(),
    async () => undefined,
    log,
  );
  (await hosts.open()).destroy();
  const { host } = hosts;
  return { ...target, ...hosts.credentialsNow, hosts: [host, ...target.hosts.filter((each) => each !== host)] };
}

/** In the words of the driver: what such a node answers to a statement. */
class NotReady extends Error {
  readonly errno = 1047;
}
