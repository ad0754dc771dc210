// What those who carry out a write tell the audit log of it. They know neither whether there is one nor what it makes of
// that: without one there is no trail, and telling it costs nothing.

/** `unknown`: it may have happened, and nobody can say. */
export type AuditOutcome = 'success' | 'failure' | 'unknown';

/** Documents are as clients see them. Of what is told twice the last counts. */
export interface AuditNote {
  /** The body, once it was judged; only fields that the audit log has on its list get into it. */
  readonly requested?: unknown;
  /** What the write found and left, where that was read anyway. Only what differs is written down. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** Nothing was meant to change. */
  readonly isDryRun?: boolean;
  /** The rule that refused the caller. */
  readonly policyRule?: string;
  /** What the client is told the error is called. */
  readonly errorCode?: string | undefined;
  /** The database was lost while it carried out the write. */
  readonly isOutcomeUnknown?: boolean;
}

export interface AuditTrail {
  note(noted: AuditNote): void;
}
