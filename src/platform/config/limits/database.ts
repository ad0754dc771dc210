// Limits of transactions, connections and statements, and of the change log.
/** Transactions, retries and connections. */
export const DATABASE_LIMITS = Object.freeze({
  /** Attempts of one transaction after deadlocks or failed certifications. */
  transactionAttempts: 10,
  /** Pause before a retry: multiplied by the attempt, at most by eight, with full jitter. */
  backoffFirstMs: 5,
  /** MySQL connections of one process; each writer among them is a lane of the change log. */
  poolConnectionsMax: 64,
  /** Wait for a connection of the pool; then the answer is 503. */
  acquireTimeoutMs: 30_000,
  /** Time to open a connection: name resolution, network, authentication, session set-up. */
  connectTimeoutMs: 5_000,
  /** Wait for a lock of a row or table; the server's default exceeds every client's timeout. */
  lockWaitTimeoutSeconds: 2,
  /** After this time a conflicting write is not retried; with the last lock wait, far below ten seconds in total. */
  collidingMs: 4_000,
  /** The same on a node of a cluster, which aborts writes for seconds after another node left or joined. */
  certifiedMs: 8_000,
  /** Minimum time for retries after a wait in the queue. */
  collidingAfterQueueMs: 500,
  /**
   * Time limit of one round trip; then its connection is closed. Longer than any wait for a lock, and than the 5 s in
   * which a cluster that lost a node accepts no commits. A process on a node that hangs uses another one within 10 s.
   */
  statementTimeoutMs: 8_000,
  /** Time limit of a statement that loads, verifies or repairs everything (the graph, the hosts). */
  loadTimeoutMs: 120_000,
  /** Time limit of a write transaction, unless a tenth of the retention is shorter. */
  writeTimeoutMs: 60_000,
  /** The interval of the check of all connections against their time limits, with one timer. */
  sweepMs: 100,
  /** A connection that was idle for this time is checked before use; then the time limit of that check. */
  idleLookMs: 5_000,
  lookTimeoutMs: 1_000,
  /** The server ends sessions that are silent for this time, because dead ones would keep their locks. */
  sessionSilenceSeconds: 30,
  /** A connection reads the database's clock again after this time. */
  clockAgeMs: 600_000,
  /** The first TCP keep-alive probe of a silent connection. */
  keepAliveDelayMs: 10_000,
  /** Minimum interval between the read and write checks of `/readyz`, and their time limit. */
  probeEveryMs: 1_000,
  probeTimeoutMs: 1_500,
  /** Hosts in one database address. */
  hostsMax: 16,
  /** A failed host is skipped for this time. */
  hostSkipMs: 30_000,
  /** The interval of pings on idle connections. */
  silentLookMs: 5_000,
  /** Minimum interval between reads of the configuration after a refused password. */
  rereadMs: 1_000,
  /** Wait for another process's SQLite write lock before an attempt counts as failed. */
  sqliteBusyTimeoutMs: 100,
  /** Queued write units of one process, default of `write_queue_limit`; further ones get 503. */
  writeQueue: 1_000,
  /** Running write groups of one process: one computes while the other waits for the disk. */
  groupsInFlight: 2,
  /** Writes in one transaction: above this, sharing a commit saves almost nothing, and the writes wait longer. */
  groupMembers: 64,
  /** Consumer and allocation rows of one group; keeps it within one statement of each kind. */
  groupRows: 400,
  /** Prepared statements cached per SQLite connection. */
  preparedStatements: 500,
  /** Characters of their SQL together. A statement takes about 60 times its text in native memory: 4 MiB. */
  preparedCharacters: 64 * 1024,
  /** Bound values of one statement: below SQLite's 32 766 and MySQL's 65 535. */
  parametersPerStatement: 30_000,
  /** Bound values in one round trip to MySQL; a longer batch takes several. */
  parametersPerBatch: 5_000,
  /** A longer text is sent in a prepared statement of its own. */
  longTextCharacters: 256 * 1024,
  /** Ids in one IN list; longer lists are queried in parts. */
  idsPerStatement: 1_000,
  /** Consumers whose allocations one statement sums up. */
  consumersPerRead: 1_000,
  /** Rows that SQLite reads, or that are processed, between two yields; fewer if they take longer. */
  rowsPerPart: 100,
  partMs: 2,
  /** Concurrent long reads on SQLite: each keeps its snapshot, and with it the write-ahead log. */
  longReads: 4,
  /**
   * Time limit of all reads of one snapshot: for a request, and for work that loads, verifies or repairs everything.
   */
  snapshotTimeoutMs: 60_000,
  wholeSnapshotTimeoutMs: 600_000,
  rowsPerInsert: 1_000,
  /** Time limit of all migrations, for a database that stops responding. */
  migrationTimeoutMs: 3_600_000,
  /** Wait for another process that migrates. */
  migrationLockTimeoutSeconds: 300,
});

/** The change log and the resident graph. */
export const CHANGE_LOG_LIMITS = Object.freeze({
  /** Default of `change_log_retention_seconds`. */
  retentionSeconds: 3_600,
  /** Minimum and maximum of the retention; a transaction lives at most a tenth of it. */
  retentionSecondsMin: 60,
  retentionSecondsMax: 7 * 86_400,
  /** The maximum life of a write transaction, as a share of the retention; a silent lane is retired after it. */
  transactionShareOfRetention: 0.1,
  /** A reader that was suspended for longer than this share of the retention reloads everything. */
  readerShareOfRetention: 0.5,
  /** Rows of the first read; more are read in parts. */
  rowsPerRead: 2_000,
  /** The interval at which an idle reader follows the log, so heartbeats of ten thousand hosts do not accumulate. */
  idleRefreshMs: 10_000,
  /** Known lanes after which a reader checks which still exist. */
  lanesBeforePruning: 64,
  rowsPerTrim: 5_000,
});
