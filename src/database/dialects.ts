// Everything in which the two databases differ: set-up of a session, upserts, locking reads, the clock, error codes.
// SQL outside this file and the migrations is shared by both, word for word.

import { DATABASE_LIMITS } from '../config/limits';

export type DialectName = 'sqlite' | 'mysql';

/** What a failed statement means for the transaction it was in. */
export type Failure =
  /** The whole transaction may succeed when run again from its start. */
  | 'retry'
  /** A unique key is taken. */
  | 'duplicate'
  /** A referenced row does not exist, or a row is still referenced. */
  | 'foreign-key'
  /** A CHECK refused the row, or a column the absence of a value. */
  | 'check'
  /** A value is outside what its column holds. */
  | 'range'
  /** The connection is gone, or cannot be had. */
  | 'connection'
  /** The database answered that it cannot serve this now, and did nothing. */
  | 'refused'
  /** Who we are, or the database that we ask for, is refused. */
  | 'denied'
  /** What was sent came too late, and nothing of it was done. */
  | 'late'
  | 'other';

/** The statements around those of a write transaction. */
export interface TransactionControl {
  readonly begin: readonly string[];
  readonly commit: readonly string[];
  /** Undoes what is not committed, and leaves the session as `begin` found it. */
  readonly rollBack: readonly string[];
}

export interface Dialect {
  readonly name: DialectName;
  /** A batch is one round trip; on SQLite there are none. */
  readonly batches: boolean;
  /** Of write transactions; on SQLite the first statement takes the write lock at once. */
  readonly control: TransactionControl;
  /** Starts a read-only transaction with one consistent view. */
  readonly beginSnapshot: readonly string[];
  /** Statements that make a fresh connection fit for use, run once per connection. */
  readonly sessionSetup: readonly string[];
  /**
   * Appended to a SELECT that must hold the rows it reads until commit. SQLite holds everything already; of several
   * servers that certify only this one knows, so the transaction goes on to write to each of the rows.
   */
  readonly forUpdate: string;
  /** Seconds since the epoch by the database's own clock. */
  readonly nowSeconds: string;
  /** What an index orders rows by that are equal in it: this column, the first of the primary key, or their number. */
  readonly indexTail: (keyColumn: string) => string;
  /** The key that the INSERT of one row before it generated. */
  readonly lastInsertId: string;
  /** Rows matched by the UPDATE right before it. */
  readonly matchedRows: string;
  /** Follows a table's name in an UPDATE or SELECT whose rows must be locked in the order of this index. */
  readonly forceIndex: (index: string) => string;
  /** Tail of an INSERT that updates the row already there. `columns` take the inserted values, `extra` is raw SQL. */
  readonly onDuplicate: (uniqueColumn: string, columns: readonly string[], extra?: readonly string[]) => string;
  /** Tail of an INSERT that leaves a row already there alone. */
  readonly onDuplicateIgnore: (uniqueColumn: string) => string;
  /** A question whose one number stays the same on a connection while no other one has committed; null: there is none. */
  readonly commitMark: string | null;
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

const MYSQL_FAILURES: Readonly<Record<string, Failure>> = {
  ER_LOCK_DEADLOCK: 'retry',
  ER_LOCK_WAIT_TIMEOUT: 'retry',
  ER_CHECKREAD: 'retry',
  ER_DUP_ENTRY: 'duplicate',
  ER_NO_REFERENCED_ROW: 'foreign-key',
  ER_NO_REFERENCED_ROW_2: 'foreign-key',
  ER_ROW_IS_REFERENCED: 'foreign-key',
  ER_ROW_IS_REFERENCED_2: 'foreign-key',
  ER_BAD_NULL_ERROR: 'check',
  ER_CONSTRAINT_FAILED: 'check',
  ER_CHECK_CONSTRAINT_VIOLATED: 'check',
  ER_WARN_DATA_OUT_OF_RANGE: 'range',
  ER_DATA_TOO_LONG: 'range',
  ER_SERVER_SHUTDOWN: 'connection',
  ER_CONNECTION_KILLED: 'connection',
  ER_QUERY_INTERRUPTED: 'connection',
  PROTOCOL_CONNECTION_LOST: 'connection',
  PROTOCOL_SEQUENCE_TIMEOUT: 'connection',
  PROTOCOL_PACKETS_OUT_OF_ORDER: 'connection',
  ECONNREFUSED: 'connection',
  ECONNRESET: 'connection',
  ECONNABORTED: 'connection',
  EPIPE: 'connection',
  ETIMEDOUT: 'connection',
  EHOSTUNREACH: 'connection',
  EHOSTDOWN: 'connection',
  ENETUNREACH: 'connection',
  ENETDOWN: 'connection',
  EADDRNOTAVAIL: 'connection',
  EMFILE: 'connection',
  ENFILE: 'connection',
  ENOENT: 'connection',
  EACCES: 'connection',
  ENOTFOUND: 'connection',
  EAI_AGAIN: 'connection',
  EAI_FAIL: 'connection',
  EAI_NODATA: 'connection',
  EAI_NONAME: 'connection',
};

/** By number: some names differ between MySQL and MariaDB, and the driver knows those of MySQL alone. */
const MYSQL_FAILURES_BY_NUMBER: Readonly<Record<number, Failure>> = {
  // MariaDB 11 reports a lost snapshot race so; 1213 is also what Galera answers for a failed certification.
  1020: 'retry',
  1213: 'retry',
  // The savepoint is gone, and with it the transaction that set it.
  1305: 'retry',
  // MariaDB's CHECK violation, and MySQL's.
  4025: 'check',
  3819: 'check',
  // Too many rows for a subquery: only what says that it came too late can have them.
  1242: 'late',
  // Access denied: for the user, for the database, by the kind of authentication; the account locked; no such database.
  1044: 'denied',
  1045: 'denied',
  1049: 'denied',
  1142: 'denied',
  1251: 'denied',
  1275: 'denied',
  1698: 'denied',
  1820: 'denied',
  1862: 'denied',
  3118: 'denied',
  4151: 'denied',
  // Full: disk, table, log, memory.
  1021: 'refused',
  1026: 'refused',
  1037: 'refused',
  1038: 'refused',
  1041: 'refused',
  1114: 'refused',
  // Too many: connections, of one user, of resources, of transactions at once, of locks.
  1040: 'refused',
  1135: 'refused',
  1203: 'refused',
  1206: 'refused',
  1226: 'refused',
  1637: 'refused',
  // This host is blocked, or not allowed.
  1129: 'refused',
  1130: 'refused',
  // Read-only: the server, the transaction, the engine, super read-only.
  1290: 'refused',
  1792: 'refused',
  1836: 'refused',
  1874: 'refused',
  3100: 'refused',
  // Not ready: Galera without its cluster, a statement replaced by another; a server in offline mode.
  1047: 'refused',
  3032: 'refused',
  // Ended by the server: after a silence, in a transaction, while it shuts down, for taking too long.
  1053: 'connection',
  1080: 'connection',
  1152: 'connection',
  // An error while it committed: a node that lost its cluster cannot know.
  1180: 'connection',
  1159: 'connection',
  1161: 'connection',
  1317: 'connection',
  1927: 'connection',
  1928: 'connection',
  1969: 'connection',
  4031: 'connection',
};

/**
 * Whether other servers may abort what this one has accepted, asked of each connection. On Galera a transaction may be
 * aborted by what another node committed, at any moment, also after a statement of it has succeeded. The server then goes
 * on with the rest of the batch, outside of any transaction, and reports the abort with the answer to the batch. So the
 * session commits nothing by itself meanwhile, and the savepoint, which goes with its transaction, lets COMMIT be reached
 * only by the transaction that was begun (ADR 14). START TRANSACTION is where a write waits until this node has applied
 * what others committed.
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
    // On Galera a read waits until this node has applied what others committed, and the server runs no statement again
    // on its own: that would forget that the transaction around it was aborted. Elsewhere neither changes anything.
    // MySQL knows no such variables, and reads what only MariaDB executes as a comment.
    `SET SESSION sql_mode = 'TRADITIONAL,NO_AUTO_VALUE_ON_ZERO', innodb_lock_wait_timeout = ${DATABASE_LIMITS.lockWaitTimeoutSeconds}` +
      ' /*M!100100 , wsrep_sync_wait = 1, wsrep_retry_autocommit = 0 */',
  ],
  forUpdate: ' FOR UPDATE',
  nowSeconds: 'UNIX_TIMESTAMP()',
  indexTail: (keyColumn) => keyColumn,
  lastInsertId: 'LAST_INSERT_ID()',
  // The driver asks for matched rows instead of changed ones (CLIENT_FOUND_ROWS).
  matchedRows: 'ROW_COUNT()',
  forceIndex: (index) => ` FORCE INDEX (${index})`,
  onDuplicate: (_unique, columns, extra = []) =>
    ` ON DUPLICATE KEY UPDATE ${[...columns.map((column) => `${column} = VALUES(${column})`), ...extra].join(', ')}`,
  onDuplicateIgnore: (unique) => ` ON DUPLICATE KEY UPDATE ${unique} = ${unique}`,
  commitMark: null,
  classify: (error) => {
    const { code, errno } = driverError(error);
    const byNumber = errno === undefined ? undefined : MYSQL_FAILURES_BY_NUMBER[errno];
    return byNumber ?? (code === undefined ? undefined : MYSQL_FAILURES[code]) ?? 'other';
  },
};

/** With what their extended codes add. The file, its disk or its folder; nothing of it was done. */
const SQLITE_REFUSALS = [
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_PERM',
  'SQLITE_AUTH',
  'SQLITE_NOMEM',
  'SQLITE_PROTOCOL',
] as const;

export const SQLITE: Dialect = {
  name: 'sqlite',
  batches: false,
  control: { begin: ['BEGIN IMMEDIATE'], commit: ['COMMIT'], rollBack: ['ROLLBACK'] },
  beginSnapshot: ['BEGIN'],
  sessionSetup: [],
  forUpdate: '',
  nowSeconds: 'unixepoch()',
  indexTail: () => 'rowid',
  lastInsertId: 'last_insert_rowid()',
  matchedRows: 'changes()',
  forceIndex: () => '',
  onDuplicate: (unique, columns, extra = []) =>
    ` ON CONFLICT (${unique}) DO UPDATE SET ` +
    [...columns.map((column) => `${column} = excluded.${column}`), ...extra].join(', '),
  onDuplicateIgnore: (unique) => ` ON CONFLICT (${unique}) DO NOTHING`,
  commitMark: 'PRAGMA data_version',
  classify: (error) => {
    const code = driverError(error).code ?? '';
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'retry';
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'duplicate';
    if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'foreign-key';
    if (code === 'SQLITE_CONSTRAINT_CHECK' || code === 'SQLITE_CONSTRAINT_NOTNULL') return 'check';
    return SQLITE_REFUSALS.some((refusal) => code === refusal || code.startsWith(`${refusal}_`)) ? 'refused' : 'other';
  },
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { mysql: MYSQL, sqlite: SQLITE };
