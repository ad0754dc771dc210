// A connection to one of nova's databases that only reads. Every operation has a time limit; after a failure the
// connection is closed. Statements use the text protocol: the binary one returns FLOAT 1.1 as 1.100000023841858.
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Connection as Handle } from 'mysql2';
import { maskSecrets } from '../../platform/logging/redaction';
import type { NovaDatabase } from '../conf/database-url';
import { NOVA_LIMITS } from './limits';

/** A database that did not answer, refused a statement, or has other tables than nova's. Messages have no secrets. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
}

type Parameter = string | number | readonly string[] | readonly number[];

/** Statements of one transaction. */
export interface Snapshot {
  rows<R>(sql: string, params?: readonly Parameter[], timeoutMs?: number): Promise<readonly R[]>;
}

const SNAPSHOT = 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY';

export class NovaConnection implements Snapshot {
  private failure: DatabaseUnreadable | undefined;
  private rejectRunning: ((error: DatabaseUnreadable) => void) | undefined;

  private constructor(
    private readonly handle: Handle,
    private readonly socket: Socket,
  ) {
    handle.on('error', (error: Error) => this.fail(reasonOf(error)));
    socket.on('close', () => this.fail('The server closed the connection.'));
  }

  /** Throws DatabaseUnreadable. */
  static async open(database: NovaDatabase, timeoutMs: number = NOVA_LIMITS.connectTimeoutMs): Promise<NovaConnection> {
    const [address] = database.hosts;
    if (address === undefined) throw new DatabaseUnreadable('The address of the database names no host.');
    const tls = tlsOf(database);
    const { createConnection } = await import('mysql2');
    const socket =
      database.socketPath === null
        ? connect({ host: address.host, port: address.port, noDelay: true, keepAlive: true })
        : connect(database.socketPath);
    const handle = createConnection({
      stream: () => socket,
      host: address.host,
      port: address.port,
      user: database.user,
      password: database.password,
      database: database.database,
      charset: 'utf8mb4',
      timezone: 'Z',
      dateStrings: true,
      supportBigNumbers: true,
      // The limit below also covers the name resolution and the handshake.
      connectTimeout: 0,
      ...(tls !== undefined && { ssl: tls }),
    });
    const connection = new NovaConnection(handle, socket);
    await connection.within(timeoutMs, (done) => handle.connect((error) => done(error, undefined)));
    await connection.rows('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    return connection;
  }

  get isOpen(): boolean {
    return this.failure === undefined;
  }

  async rows<R>(
    sql: string,
    params: readonly Parameter[] = [],
    timeoutMs: number = NOVA_LIMITS.statementTimeoutMs,
  ): Promise<readonly R[]> {
    const result = await this.within<unknown>(timeoutMs, (done) => this.handle.query(sql, [...params], done));
    return Array.isArray(result) ? (result as readonly R[]) : [];
  }

  /** Runs the work in one read-only transaction that sees one moment of the database. */
  async snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    await this.rows(SNAPSHOT);
    try {
      const result = await work(this);
      await this.rows('COMMIT');
      return result;
    } catch (error) {
      // A transaction that stays open shows the past for ever.
      this.close();
      throw error;
    }
  }

  close(): void {
    this.fail('The connection was closed.');
  }

  private within<T>(timeoutMs: number, start: (done: (error: Error | null, result: T) => void) => unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      const timer = setTimeout(() => this.fail(`The database did not answer within ${timeoutMs / 1000} s.`), timeoutMs);
      const end = (): void => {
        clearTimeout(timer);
        this.rejectRunning = undefined;
      };
      this.rejectRunning = (error) => {
        end();
        reject(error);
      };
      start((error, result) => {
        if (this.failure !== undefined) return;
        end();
        if (!error) return resolve(result);
        const refused = new DatabaseUnreadable(reasonOf(error));
        // The server refused the statement; the connection still works.
        if (!isFatal(error)) return reject(refused);
        this.fail(refused.message);
        reject(refused);
      });
    });
  }

  private fail(reason: string): void {
    if (this.failure !== undefined) return;
    this.failure = new DatabaseUnreadable(reason);
    this.handle.destroy();
    // The driver only half-closes.
    this.socket.destroy();
    this.rejectRunning?.(this.failure);
  }
}

/** The files are read for each connection, so replaced certificates need no restart. */
function tlsOf({ tls }: NovaDatabase): { ca: Buffer; cert?: Buffer; key?: Buffer } | undefined {
  if (tls === null) return undefined;
  const read = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new DatabaseUnreadable(`File ${path} cannot be read (${codeOf(error) ?? 'unknown error'}).`);
    }
  };
  return {
    ca: read(tls.caFile),
    ...(tls.certFile !== null && { cert: read(tls.certFile) }),
    ...(tls.keyFile !== null && { key: read(tls.keyFile) }),
  };
}

/** The driver marks errors that end the connection. */
const isFatal = (error: Error): boolean => (error as { fatal?: boolean }).fatal === true;

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

/** The driver's message, which can be empty if a name has several addresses. */
function reasonOf(error: Error): string {
  const code = codeOf(error);
  const message = maskSecrets(error.message);
  return message === '' ? `${code ?? 'Unknown error'}.` : code === undefined ? message : `${code}: ${message}`;
}
