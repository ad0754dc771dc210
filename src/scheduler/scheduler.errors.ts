// The scheduler's refusals. Each knows its status and code, and carries the decision it came from.

import { DomainError } from '../errors/domain-errors';
import type { SchedulerErrorCode } from '../errors/scheduler-error-codes';

export type { SchedulerErrorCode };

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
