// The scheduler's refusals. Each knows its status and code, and carries the decision it came from.

import { DomainError } from '../errors/domain-errors';

export type SchedulerErrorCode =
  | 'scheduler.invalid_request'
  | 'scheduler.unsupported'
  | 'scheduler.no_valid_host'
  | 'scheduler.no_candidates'
  | 'scheduler.claims_lost'
  | 'scheduler.attempts_exhausted'
  | 'scheduler.generation_conflict'
  | 'scheduler.unavailable'
  | 'scheduler.not_found'
  | 'scheduler.in_use'
  | 'scheduler.duplicate_name';

/** A request that got no placement. `decision` is the decision document as clients see it. */
export class SchedulerError extends DomainError {
  readonly status: 400 | 404 | 409 | 503;
  readonly code: SchedulerErrorCode;
  readonly decision?: object;

  constructor(
    message: string,
    refusal: {
      readonly status: 400 | 404 | 409 | 503;
      readonly code: SchedulerErrorCode;
      readonly decision?: object;
    },
  ) {
    super(message);
    this.status = refusal.status;
    this.code = refusal.code;
    if (refusal.decision !== undefined) this.decision = refusal.decision;
  }
}
