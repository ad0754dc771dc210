// Limits of what is read from nova's databases; unit last, reason in the comment.

export const NOVA_LIMITS = Object.freeze({
  /**
   * Rows with a stamp this much older than the newest one are read again: at least the clock skew between nova's
   * processes, plus their longest write transaction with its retries, plus 1 s.
   */
  overlapMs: 15_000,
  /** Default age of the data of a decision. */
  maxAgeMs: 1_000,
  /** Polls without a decision. */
  pollEveryMs: 5_000,
  /**
   * A decision waits this long for polls; then it uses the last data of the slow cell. It waits as long for the service of
   * a host that it is about to claim; then the cell is left out.
   */
  waitMs: 1_000,
  /** A cell whose data is older is left out: a heartbeat is due every 10 s. */
  cellStaleMs: 15_000,
  /** Pause between two attempts to reach a database. */
  retryEveryMs: 2_000,
  /** Comparison of the instances of all hosts by counts and sums. */
  sumsEveryMs: 30_000,
  /** All rows of the API tables, even if counts and stamps are equal. */
  apiEveryMs: 15_000,
  /** Every node and instance is read again within this time, a part with each of these intervals. */
  sweepMs: 600_000,
  sweepEveryMs: 5_000,
  /** A database that could not be read for this time is read from the start. */
  reloadAfterMs: 300_000,
  /** Nodes and lists of instances that one poll reads for the sweep, at least. */
  sweptAtLeast: 50,
  /** Time to connect, and time for one statement. A statement that reads a whole table has `loadTimeoutMs`. */
  connectTimeoutMs: 5_000,
  statementTimeoutMs: 10_000,
  loadTimeoutMs: 120_000,
  /** For a page of rows that are not polled: a busy server needs longer than for a poll. */
  pageTimeoutMs: 60_000,
  /** Consumers or instances of an audit in memory at a time. Each has a flavor of up to 64 KiB. */
  auditPageRows: 500,
  /** Reads of a first load in parallel. */
  cellsLoading: 4,
  /** Ids or names in one statement. */
  idsPerStatement: 500,
  hostsPerStatement: 100,
  /** Instances in one statement of the first load. */
  instancesPerStatement: 20_000,
  /** New ids below the greatest one are read again: transactions commit in another order than they take ids. */
  instanceIdOverlap: 20,
  /** Instances that are read again because their row was about to be deleted. */
  leavingInstances: 5_000,
  /** Characters of one JSON column; `text` holds 65 535 bytes, `mediumtext` more. */
  jsonCharacters: 1_048_576,
  /** Distinct values of `cpu_info` and `supported_instances` that hosts share. */
  sharedTexts: 1_000,
  /** Names of hosts, nodes, projects and states that instances share. */
  sharedNames: 200_000,
  /** Hosts in one `status()`. */
  leftOutShown: 1_000,
  /** Instances in one cast. */
  instancesPerCast: 100_000,
  /** Cells that are read, in the order of their ids. */
  cells: 200,
});

/** Settings that operators and tests can change. */
export type PollSettings = Readonly<
  Record<
    | 'overlapMs'
    | 'maxAgeMs'
    | 'pollEveryMs'
    | 'sweepEveryMs'
    | 'waitMs'
    | 'cellStaleMs'
    | 'retryEveryMs'
    | 'sumsEveryMs'
    | 'apiEveryMs'
    | 'sweepMs'
    | 'instanceIdOverlap',
    number
  >
>;
