// All differences between the two databases: session set-up, upserts, locking reads, the clock, error codes. SQL
// outside this file and the migrations is identical for both.

import { DATABASE_LIMITS } from '../config/limits/database';

export type DialectName = 'sqlite' | 'mysql';

/** Effect of a failed statement on its transaction. */
export type Failure =
  /** The whole transaction can succeed if it is run again from its start. */
  | 'retry'
  /** A unique key is taken. */
  | 'duplicate'
  /** A referenced row does not exist, or a row is still referenced. */
  | 'foreign-key'
  /** A CHECK or NOT NULL constraint refused the row. */
  | 'check'
  /** A value is outside the range of its column. */
  | 'range'
  /** The connection is lost, or could not be established. */
  | 'connection'
  /** The database cannot serve the statement now, and did not execute it. */
  | 'refused'
  /** The credentials or the database name are refused. */
  | 'denied'
  /** The statement arrived after its deadline and was not executed. */
  | 'late'
  | 'other';

/** The statements that begin and end a write transaction. */
export interface TransactionControl {
  readonly begin: readonly string[];
  readonly commit: readonly string[];
  /** Rolls back and restores the session to its state before `begin`. */
  readonly rollBack: readonly string[];
}

export interface Dialect {
  readonly name: DialectName;
  /** Whether a batch is one round trip; false on SQLite. */
  readonly batches: boolean;
  /** For write transactions; on SQLite `begin` takes the write lock at once. */
  readonly control: TransactionControl;
  /** Starts a read-only transaction with one consistent view. */
  readonly beginSnapshot: readonly string[];
  /** Statements that set up a new connection, run once per connection. */
  readonly sessionSetup: readonly string[];
  /**
   * Suffix of a SELECT that must lock its rows until the commit. SQLite already holds the write lock. On a cluster with
   * certification only this node knows the locks, so the transaction must also write each of the rows.
   */
  readonly forUpdate: string;
  /** The same for a lock that other readers can hold, too. */
  readonly forShare: string;
  /** Seconds since the epoch by the database's clock. */
  readonly nowSeconds: string;
  /** The key that the preceding INSERT of one row generated. */
  readonly lastInsertId: string;
  /** Rows matched by the preceding UPDATE. */
  readonly matchedRows: string;
  /** Suffix of a table's name in an UPDATE or SELECT that must lock rows in the order of this index. */
  readonly forceIndex: (index: string) => string;
  /** Suffix of an INSERT that updates an existing row. `columns` take the inserted values, `extra` is raw SQL. */
  readonly onDuplicate: (uniqueColumn: string, columns: readonly string[], extra?: readonly string[]) => string;
  /** Suffix of an INSERT that leaves an existing row unchanged. */
  readonly onDuplicateIgnore: (uniqueColumn: string) => string;
  /** The text of a member of a JSON document; NULL if it is absent or null. */
  readonly jsonText: (column: string, member: string) => string;
  readonly classify: (error: unknown) => Failure;
}

interface DriverError {
  readonly code?: string;
  readonly errno?: number;
}

function driverError(error: unknown): DriverError {
  if (typeof error !== 'object' || error === null) return {};
  const inner = (error as { driverError?: unknown }).driverError ?? error;
  return inner;
}

/** A table by error code; each row has one or more codes, separated by spaces. */
export const byCode = <V>(rows: readonly (readonly [codes: string, value: V])[]): ReadonlyMap<string, V> =>
  new Map(rows.flatMap(([codes, value]) => codes.split(' ').map((code) => [code, value] as const)));

/** By name, or by number where the names differ between MySQL and MariaDB: the driver knows only those of MySQL. */
const MYSQL_FAILURES = byCode<Failure>([
  ['ER_LOCK_DEADLOCK ER_LOCK_WAIT_TIMEOUT ER_CHECKREAD', 'retry'],
  // MariaDB 11 reports a lost snapshot race with 1020. Galera also reports a failed certification with 1213.
  ['1020 1213', 'retry'],
  // The savepoint is gone, and with it the transaction that set it.
  ['1305', 'retry'],
  ['ER_DUP_ENTRY', 'duplicate'],
  ['ER_NO_REFERENCED_ROW ER_NO_REFERENCED_ROW_2 ER_ROW_IS_REFERENCED ER_ROW_IS_REFERENCED_2', 'foreign-key'],
  ['ER_BAD_NULL_ERROR ER_CONSTRAINT_FAILED ER_CHECK_CONSTRAINT_VIOLATED', 'check'],
  // CHECK violation of MariaDB and of MySQL.
  ['4025 3819', 'check'],
  ['ER_WARN_DATA_OUT_OF_RANGE ER_DATA_TOO_LONG', 'range'],
  ['ER_SERVER_SHUTDOWN ER_CONNECTION_KILLED ER_QUERY_INTERRUPTED', 'connection'],
  ['PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT PROTOCOL_PACKETS_OUT_OF_ORDER', 'connection'],
  ['ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN', 'connection'],
  ['ENETUNREACH ENETDOWN EADDRNOTAVAIL EMFILE ENFILE ENOENT EACCES', 'connection'],
  ['ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME', 'connection'],
  // Closed by the server: after idle time, in a transaction, during shutdown, or for a long-running statement.
  ['1053 1080 1152 1159 1161 1317 1927 1928 1969 4031', 'connection'],
  // An error during the commit: a node that lost its cluster does not know the outcome.
  ['1180', 'connection'],
  // A subquery with several rows: only the deadline statement produces this error.
  ['1242', 'late'],
  // Access denied: to the user, to the database, by the authentication method; account locked; no such database.
  ['1044 1045 1049 1142 1251 1275 1698 1820 1862 3118 4151', 'denied'],
  // Full: disk, table, log, memory.
  ['1021 1026 1037 1038 1041 1114', 'refused'],
  // Limit reached: connections, resources of one user, concurrent transactions, locks.
  ['1040 1135 1203 1206 1226 1637', 'refused'],
  // This host is blocked or not allowed.
  ['1129 1130', 'refused'],
  // Read-only: the server, the transaction, the engine, super read-only.
  ['1290 1792 1836 1874 3100', 'refused'],
  // Not ready: a Galera node without its cluster, or a server in offline mode.
  ['1047 3032', 'refused'],
]);

/**
 * Whether other servers can abort what this one has accepted, queried once per connection. On Galera a commit of
 * another node can abort a transaction at any moment, even after one of its statements succeeded. The server then runs
 * the rest of the batch outside any transaction and reports the abort with the batch's result.
 * Therefore autocommit is off meanwhile, and a savepoint guards COMMIT: releasing it fails unless the original
 * transaction still exists (ADR 6). At START TRANSACTION a write waits until this node has applied the commits of the
 * others.
 */
export const CERTIFICATION = {
  question: "SHOW GLOBAL VARIABLES LIKE 'wsrep_provider'",
  isGivenBy: ([row]: readonly unknown[]): boolean =>
    row !== undefined && !['', 'none'].includes((row as { readonly Value: string }).Value),
  control: {
    begin: ['SET autocommit = 0', 'START TRANSACTION', 'SAVEPOINT unit'],
    commit: ['RELEASE SAVEPOINT unit', 'COMMIT', 'SET autocommit = 1'],
    rollBack: ['ROLLBACK', 'SET autocommit = 1'],
  } satisfies TransactionControl,
};

export const MYSQL: Dialect = {
  name: 'mysql',
  batches: true,
  control: { begin: ['START TRANSACTION'], commit: ['COMMIT'], rollBack: ['ROLLBACK'] },
  beginSnapshot: [
    'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ',
    'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
  ],
  // NO_AUTO_VALUE_ON_ZERO: the first standard resource class has the id 0.
  sessionSetup: [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
    // On Galera, reads wait until this node has applied the commits of others. The server must not retry statements by
    // itself: a retry would hide the abort of the transaction. On other servers both settings have no effect. MySQL
    // does not know these variables and treats the MariaDB-only part as a comment.
    `SET SESSION sql_mode = 'TRADITIONAL,NO_AUTO_VALUE_ON_ZERO', innodb_lock_wait_timeout = ${DATABASE_LIMITS.lockWaitTimeoutSeconds},` +
      // Of the ids of all traits of a provider; MySQL's own limit is 1024 characters.
      ' group_concat_max_len = 1048576' +
      ' /*M!100100 , wsrep_sync_wait = 1, wsrep_retry_autocommit = 0 */',
  ],
  forUpdate: ' FOR UPDATE',
  forShare: ' LOCK IN SHARE MODE',
  nowSeconds: 'UNIX_TIMESTAMP()',
  lastInsertId: 'LAST_INSERT_ID()',
  // The driver requests matched rows instead of changed ones (CLIENT_FOUND_ROWS).
  matchedRows: 'ROW_COUNT()',
  forceIndex: (index) => ` FORCE INDEX (${index})`,
  onDuplicate: (_unique, columns, extra = []) =>
    ` ON DUPLICATE KEY UPDATE ${[...columns.map((column) => `${column} = VALUES(${column})`), ...extra].join(', ')}`,
  onDuplicateIgnore: (unique) => ` ON DUPLICATE KEY UPDATE ${unique} = ${unique}`,
  jsonText: (column, member) => `JSON_VALUE(${column}, '$.${member}')`,
  classify: (error) => {
    const { code, errno } = driverError(error);
    return MYSQL_FAILURES.get(String(errno)) ?? MYSQL_FAILURES.get(code ?? '') ?? 'other';
  },
};

/** Primary codes; extended codes add a suffix. A fault of the file, its disk or its folder; nothing was executed. */
const SQLITE_REFUSAL = /^SQLITE_(CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB|PERM|AUTH|NOMEM|PROTOCOL)(_|$)/;

export const SQLITE: Dialect = {
  name: 'sqlite',
  batches: false,
  control: { begin: ['BEGIN IMMEDIATE'], commit: ['COMMIT'], rollBack: ['ROLLBACK'] },
  beginSnapshot: ['BEGIN'],
  sessionSetup: [],
  forUpdate: '',
  forShare: '',
  nowSeconds: 'unixepoch()',
  lastInsertId: 'last_insert_rowid()',
  matchedRows: 'changes()',
  forceIndex: () => '',
  onDuplicate: (unique, columns, extra = []) =>
    ` ON CONFLICT (${unique}) DO UPDATE SET ` +
    [...columns.map((column) => `${column} = excluded.${column}`), ...extra].join(', '),
  onDuplicateIgnore: (unique) => ` ON CONFLICT (${unique}) DO NOTHING`,
  jsonText: (column, member) => `json_extract(${column}, '$.${member}')`,
  classify: (error) => {
    const code = driverError(error).code ?? '';
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'retry';
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'duplicate';
    if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'foreign-key';
    if (code === 'SQLITE_CONSTRAINT_CHECK' || code === 'SQLITE_CONSTRAINT_NOTNULL') return 'check';
    return SQLITE_REFUSAL.test(code) ? 'refused' : 'other';
  },
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { mysql: MYSQL, sqlite: SQLITE };
