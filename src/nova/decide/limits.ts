// Limits of calls; unit last, reason in the comment.

export const CALL_LIMITS = Object.freeze({
  /** Pauses between attempts of a call while a database is unreachable; the last one is repeated. */
  retryPausesMs: [500, 1_000, 2_000, 5_000] as readonly number[],
  /** Attempts end this long before the caller gives up, because the answer needs time as well. */
  answerMarginMs: 5_000,
  /** Interval at which a call looks for the cells that it waits for. */
  cellPauseMs: 1_000,
  /** Calls that wait for a cell while other cells can be used: half of the calls in work. */
  waitingForCells: 16,
  /** Time of a call whose message has none: nova's default of `long_rpc_timeout`. */
  callMs: 1_800_000,
  /** A record counts as left behind this long after its call has expired. Covers the clocks of several machines. */
  recordGraceSeconds: 120,
  /** Interval of the search for records of calls without a known outcome, and records per search. */
  recoveryEveryMs: 30_000,
  recordsPerRecovery: 50,
  /** A record whose instance cannot be judged is tried again for this long; after it, an operator has to look. */
  recordAgeSeconds: 7 * 86_400,
});
