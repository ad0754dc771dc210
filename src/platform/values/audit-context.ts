// Port through which writing code adds facts to the audit log. The code need not know whether auditing is on: if it is
// off, there is no trail, and a note costs nothing.

/** `unknown`: the write was possibly executed. */
export type AuditOutcome = 'success' | 'failure' | 'unknown';

/** Documents in the clients' form. A later note replaces an earlier one. */
export interface AuditNote {
  /** The validated body; the audit log writes only fields on its list. */
  readonly requested?: unknown;
  /** State before and after the write, if it was read anyway. Only differences are logged. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  /** The request is a dry run. */
  readonly isDryRun?: boolean;
  /** The rule that refused the caller. */
  readonly policyRule?: string;
  /** The error code in the answer. */
  readonly errorCode?: string | undefined;
  /** The database connection was lost during the write. */
  readonly isOutcomeUnknown?: boolean;
}

export interface AuditContext {
  note(noted: AuditNote): void;
}
