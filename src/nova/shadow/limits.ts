// Limits of the shadow; unit last, reason in the comment.

export const SHADOW_LIMITS = Object.freeze({
  /** nova's host is compared with the hosts of this moment, so a late look compares with later placements. */
  pollEveryMs: 1_000,
  /** Pause after a failure of nova's databases. */
  retryEveryMs: 5_000,
  /** Requests in one read; a spec is up to some 100 KiB. */
  requestsPerPoll: 50,
  /** Requests without a host yet. The oldest are given up. */
  waiting: 2_000,
  /** A build that takes longer has failed or is stuck. */
  waitMs: 600_000,
  /** Interval of the table. */
  tableEveryMs: 60_000,
  /** A timer of Node.js takes at most 24 days. */
  secondsMax: 2_000_000,
  /** Instances that came after the compared one. */
  laterInstances: 2_000,
  /** Members of a server group. */
  groupMembers: 10_000,
});
