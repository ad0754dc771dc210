// The SQLAlchemy address of one of nova's databases. nova supports MySQL, MariaDB and PostgreSQL; Berth reads the first
// two. Messages never contain the address, because it includes a password.
import { parseDatabaseUrl } from '../../platform/config/database-url';
import type { ForeignAddress } from '../../platform/database/foreign-mysql';

export type NovaDatabase = ForeignAddress;

type NovaDatabaseUrl =
  | { readonly ok: true; readonly database: NovaDatabase; readonly warnings: readonly string[] }
  /** The rest of a sentence that begins with the option or column. */
  | { readonly ok: false; readonly problem: string };

const NAMES: Readonly<Record<string, string>> = { postgresql: 'PostgreSQL', postgres: 'PostgreSQL', sqlite: 'SQLite' };

/** Law: user, password and database are percent-decoded, and a plus sign stays. */
export function novaDatabaseOf(url: string): NovaDatabaseUrl {
  const dialect = /^([a-z0-9]+)(?:\+[a-z0-9_]+)?:/i.exec(url.trim())?.[1]?.toLowerCase();
  const name = dialect === undefined ? undefined : NAMES[dialect];
  if (name !== undefined)
    return { ok: false, problem: `names a ${name} database; only MySQL and MariaDB are supported` };
  if (dialect !== undefined && dialect !== 'mysql' && dialect !== 'mariadb')
    return { ok: false, problem: `names a database of type '${dialect}'; only MySQL and MariaDB are supported` };
  const parsed = parseDatabaseUrl(url, '/');
  if (!parsed.ok) return { ok: false, problem: parsed.problem };
  const { address, warnings } = parsed;
  if (address.kind !== 'mysql') return { ok: false, problem: 'must be mysql://user:password@host:port/database' };
  if (address.hosts.length > 1) return { ok: false, problem: 'names several hosts; the drivers of nova accept one' };
  const { hosts, socketPath, user, password, database, tls } = address;
  // nova's driver has one character set for each connection; here it has no effect.
  const shown = warnings.filter((warning) => !warning.startsWith('charset='));
  return { ok: true, database: { hosts, socketPath, user, password, database, tls }, warnings: shown };
}
