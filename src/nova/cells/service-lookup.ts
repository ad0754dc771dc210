// Reads the services of single hosts of one cell between the polls. It has a connection of its own, because that of the
// polls can be inside a transaction that sees the past.
import type { ForeignMysql } from '../../platform/database/foreign-mysql';
import type { NovaDatabase } from '../conf/database-url';
import { openNova } from './nova-connection';
import type { ServiceRow } from './service-table';
import { SERVICES_QUERY } from './service-table';

const SERVICES_OF_HOSTS = `${SERVICES_QUERY} AND host IN (?)`;

interface Lookup {
  readonly hosts: Set<string>;
  readonly rows: Promise<readonly ServiceRow[]>;
}

export class ServiceLookup {
  private connection: ForeignMysql | undefined;
  private running: Promise<unknown> = Promise.resolve();
  private next: Lookup | undefined;

  constructor(
    private readonly database: NovaDatabase,
    private readonly timeoutMs: number,
  ) {}

  /** Rows committed before the call. Hosts that arrive during a statement share the next one. Throws DatabaseUnreadable. */
  read(hosts: readonly string[]): Promise<readonly ServiceRow[]> {
    this.next ??= this.afterRunning();
    for (const host of hosts) this.next.hosts.add(host);
    return this.next.rows;
  }

  close(): void {
    this.connection?.close();
  }

  private afterRunning(): Lookup {
    const hosts = new Set<string>();
    const rows = this.running.then(() => {
      this.next = undefined;
      return this.query([...hosts]);
    });
    this.running = rows.catch(() => undefined);
    return { hosts, rows };
  }

  private async query(hosts: readonly string[]): Promise<readonly ServiceRow[]> {
    if (this.connection?.isOpen !== true) this.connection = await openNova(this.database, this.timeoutMs);
    return this.connection.rows<ServiceRow>(SERVICES_OF_HOSTS, [hosts], this.timeoutMs);
  }
}
