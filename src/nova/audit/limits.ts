// Limits of audits; unit last, reason in the comment.

export const AUDIT_LIMITS = Object.freeze({
  /** Consumers or instances in memory at a time. Each has a flavor of up to 64 KiB. */
  pageRows: 500,
  /** A busy server needs longer for a page than for a poll. */
  statementTimeoutMs: 60_000,
});
