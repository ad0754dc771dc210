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
  /** The database cannot be reached. */
  | 'connection'
  | 'other';

/** The statements around those of a write transaction. */
export interface TransactionControl {
  readonly begin: readonly string[];
  readonly commit: readonly string[];
  /** Undoes what is not committed, and leaves the session as `begin` found it. */
  readonly rollBack: readonly string[];
}

/** How a database says, to whom it asks per connection, that other servers may abort what this one has accepted. */
export interface Certification {
  readonly question: string;
  readonly isGivenBy: (rows: readonly unknown[]) => boolean;
  readonly control: TransactionControl;
}

export interface Dialect {
  readonly name: DialectName;
  /** Statements issued together travel together, and the server runs none behind one that failed. */
  readonly batches: boolean;
  /** Of write transactions; on SQLite the first statement takes the write lock at once. */
  readonly control: TransactionControl;
  /** Absent where a transaction is aborted only by an answer to one of its own statements. */
  readonly certification?: Certification;
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
  ER_CON_COUNT_ERROR: 'connection',
  ER_SERVER_SHUTDOWN: 'connection',
  ER_CONNECTION_KILLED: 'connection',
  PROTOCOL_CONNECTION_LOST: 'connection',
  ECONNREFUSED: 'connection',
  ECONNRESET: 'connection',
  EPIPE: 'connection',
  ETIMEDOUT: 'connection',
};

/**
 * On Galera a transaction may be aborted by what another node committed, at any moment, also after a statement of it has
 * succeeded. The server then goes on with the rest of the batch, outside of any transaction, and reports the abort with
 * the answer to the batch. So the session commits nothing by itself meanwhile, and the savepoint, which goes with its
 * transaction, lets COMMIT be reached only by the transaction that was begun (ADR 14). START TRANSACTION is where a write
 * waits until this node has applied what others committed.
 */
const GALERA_CONTROL: TransactionControl = {
  begin: ['SET autocommit = 0', 'START TRANSACTION', 'SAVEPOINT unit'],
  commit: ['RELEASE SAVEPOINT unit', 'COMMIT', 'SET autocommit = 1'],
  rollBack: ['ROLLBACK', 'SET autocommit = 1'],
};

export const MYSQL: Dialect = {
  name: 'mysql',
  batches: true,
  control: { begin: ['START TRANSACTION'], commit: ['COMMIT'], rollBack: ['ROLLBACK'] },
  certification: {
    question: "SHOW GLOBAL VARIABLES LIKE 'wsrep_provider'",
    isGivenBy: ([row]) => row !== undefined && !['', 'none'].includes((row as { readonly Value: string }).Value),
    control: GALERA_CONTROL,
  },
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
  lastInsertId: 'LAST_INSERT_ID()',
  // The driver asks for matched rows instead of changed ones (CLIENT_FOUND_ROWS).
  matchedRows: 'ROW_COUNT()',
  forceIndex: (index) => ` FORCE INDEX (${index})`,
  onDuplicate: (_unique, columns, extra = []) =>
    ` ON DUPLICATE KEY UPDATE ${[...columns.map((column) => `${column} = VALUES(${column})`), ...extra].join(', ')}`,
  onDuplicateIgnore: (unique) => ` ON DUPLICATE KEY UPDATE ${unique} = ${unique}`,
  classify: (error) => {
    const { code, errno } = driverError(error);
    // 1020: MariaDB 11 reports a lost snapshot race so; 1213 is also what Galera answers for a failed certification.
    if (errno === 1020 || errno === 1213) return 'retry';
    // 1305: the savepoint is gone, and with it the transaction.
    if (errno === 1305) return 'retry';
    // 4025: MariaDB's CHECK violation, 3819: MySQL's.
    if (errno === 4025 || errno === 3819) return 'check';
    return (code === undefined ? undefined : MYSQL_FAILURES[code]) ?? 'other';
  },
};

export const SQLITE: Dialect = {
  name: 'sqlite',
  batches: false,
  control: { begin: ['BEGIN IMMEDIATE'], commit: ['COMMIT'], rollBack: ['ROLLBACK'] },
  beginSnapshot: ['BEGIN'],
  sessionSetup: [],
  forUpdate: '',
  nowSeconds: 'unixepoch()',
  lastInsertId: 'last_insert_rowid()',
  matchedRows: 'changes()',
  forceIndex: () => '',
  onDuplicate: (unique, columns, extra = []) =>
    ` ON CONFLICT (${unique}) DO UPDATE SET ` +
    [...columns.map((column) => `${column} = excluded.${column}`), ...extra].join(', '),
  onDuplicateIgnore: (unique) => ` ON CONFLICT (${unique}) DO NOTHING`,
  classify: (error) => {
    const code = driverError(error).code ?? '';
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'retry';
    if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return 'duplicate';
    if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return 'foreign-key';
    if (code === 'SQLITE_CONSTRAINT_CHECK' || code === 'SQLITE_CONSTRAINT_NOTNULL') return 'check';
    if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_IOERR' || code === 'SQLITE_FULL') return 'connection';
    return 'other';
  },
};

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = { mysql: MYSQL, sqlite: SQLITE };
