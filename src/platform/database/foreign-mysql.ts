// One connection to a MySQL database of another program. Every operation has a time limit. Values travel as text: the
// binary protocol returns FLOAT 1.1 as 1.100000023841858.
import type { MysqlDatabase } from '../config/platform-config';
import { maskSecrets } from '../logging/redaction';
import type { MysqlConnection } from './mysql-connection';
import { openMysql } from './mysql-connection';
import type { SqlParams } from './sql';
import { tlsOf } from './target-of-config';

export type ForeignAddress = Omit<MysqlDatabase, 'kind' | 'poolSize' | 'acquireTimeoutMs'>;

interface ForeignSession {
  readonly setUp: readonly string[];
  readonly openMs: number;
  readonly statementMs: number;
}

/** An array is the list of an IN. */
type ForeignParams = readonly (SqlParams[number] | readonly string[] | readonly number[])[];

/** A database that did not answer, refused a statement, or has unexpected tables. Messages have no secrets. */
export class DatabaseUnreadable extends Error {
  override readonly name = 'DatabaseUnreadable';
}

/** Statements of one transaction. */
export interface Snapshot {
  rows<R>(sql: string, params?: ForeignParams, timeoutMs?: number): Promise<readonly R[]>;
}

export class ForeignMysql implements Snapshot {
  private constructor(
    private readonly connection: MysqlConnection,
    private readonly statementMs: number,
  ) {}

  /** Connects to the first host that answers. Throws DatabaseUnreadable. */
  static async open(address: ForeignAddress, session: ForeignSession): Promise<ForeignMysql> {
    const { hosts, socketPath, database, tls } = address;
    let failure = new DatabaseUnreadable('The address of the database names no host.');
    for (const host of hosts) {
      try {
        const target = { database, ...(socketPath !== null && { socketPath }), ...tlsOf(tls) };
        const connection = await openMysql(target, host, address, (each) => each.destroy(), {
          options: { dateStrings: true },
          isText: true,
          setUp: async (each) => {
            for (const sql of session.setUp) await each.execute(sql, []);
          },
          openMs: session.openMs,
        });
        return new ForeignMysql(connection, session.statementMs);
      } catch (error) {
        failure = unreadable(error);
      }
    }
    throw failure;
  }

  get isOpen(): boolean {
    return this.connection.endedBy === undefined;
  }

  async rows<R>(sql: string, params: ForeignParams = [], timeoutMs = this.statementMs): Promise<readonly R[]> {
    const late = setTimeout(() => this.connection.giveUp(timeoutMs), timeoutMs);
    try {
      return (await this.connection.execute(sql, params as SqlParams)).rows as readonly R[];
    } catch (error) {
      throw unreadable(error);
    } finally {
      clearTimeout(late);
    }
  }

  /** Runs the work in one read-only transaction that sees one moment of the database. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.within('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY', work);
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.within('START TRANSACTION', work);
  }

  close(): void {
    this.connection.destroy();
  }

  private async within<T>(begin: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    await this.rows(begin);
    try {
      const result = await work(this);
      await this.rows('COMMIT');
      return result;
    } catch (error) {
      // Rolls back. A snapshot that stays open shows the past for ever.
      this.close();
      throw error;
    }
  }
}

/** The driver's message can be empty if a name has several addresses. */
function unreadable(error: unknown): DatabaseUnreadable {
  const { code = 'Unknown error', message } = error as Error & { code?: string };
  const reason = maskSecrets(message);
  if (reason === '') return new DatabaseUnreadable(`${code}.`);
  return new DatabaseUnreadable(reason.startsWith(code) ? reason : `${code}: ${reason}`);
}
