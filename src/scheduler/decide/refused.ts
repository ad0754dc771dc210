// The code and the outcome of every decision without a placement.

import { DomainError, SearchGaveUp, TooManyRequests, Unavailable } from '../../platform/values/errors';
import { fieldFault } from '../../platform/values/field-fault';
import type { SchedulerCode } from '../../platform/values/errors';
import type { Outcome } from '../../scheduling-rules/pipeline/decision';
import { RequestRefused } from '../../scheduling-rules/request/request-refusal';
import { NoSuchHost } from '../../scheduling-rules/request/target-host';

/** A refusal; the controller maps it to a response. */
export interface SchedulingRefusal {
  readonly code: SchedulerCode;
  readonly outcome: Outcome;
  readonly message: string;
  /** The message is only the beginning; the decision's sentence follows. */
  readonly isTold?: boolean;
}

/** Nova's clients search for this text at the beginning of such refusals. */
const NO_VALID_HOST = 'No valid host was found.';

/** Aborts a decision. */
export class Refused extends Error {
  constructor(readonly refusal: SchedulingRefusal) {
    super(refusal.message);
  }
}

export const noValidHost = (code: SchedulerCode, reason: string): Refused =>
  new Refused({ code, outcome: 'no_valid_host', message: `${NO_VALID_HOST} ${reason}` });

/** No host is left; the decision explains why. */
export const noHostLeft = (code: SchedulerCode): Refused =>
  new Refused({ code, outcome: 'no_valid_host', message: NO_VALID_HOST, isTold: true });

/** The refusal in the form for clients, after the decision has ended. */
export function toldBy(sentence: string, { isTold, ...refusal }: SchedulingRefusal): SchedulingRefusal {
  return isTold === true ? { ...refusal, message: `${refusal.message} ${sentence}` } : refusal;
}

/** A rebuild check is not a placement, so it cannot be counted. */
export const nothingToCount = (): Refused =>
  new Refused({
    code: 'scheduler.unsupported',
    outcome: 'refused',
    message: fieldFault(
      'scheduler_hints._nova_check_type',
      'asks for a check of hosts for a rebuild, which places nothing that could be counted',
    ),
  });

/** Errors that are unrelated to the query itself. */
const OF_THE_SERVICE = [RequestRefused, Unavailable, SearchGaveUp, TooManyRequests];

/** A query that Placement refuses is a bad request, with Placement's message. */
export function refusedByPlacement(error: unknown): unknown {
  if (!(error instanceof DomainError) || OF_THE_SERVICE.some((kind) => error instanceof kind)) return error;
  const { message } = error;
  return new Refused({ code: 'scheduler.invalid_request', outcome: 'refused', message });
}

/** The refusal for an error that clients can see; other errors are rethrown. */
export function schedulingRefusalOf(error: unknown): SchedulingRefusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof RequestRefused) {
    return { code: error.code, outcome: 'refused', message: error.message };
  }
  if (error instanceof NoSuchHost) return noValidHost('scheduler.no_valid_host', error.message).refusal;
  if (error instanceof SearchGaveUp) {
    return { code: 'scheduler.search_gave_up', outcome: 'failed', message: error.message };
  }
  if (error instanceof TooManyRequests) {
    return { code: 'scheduler.too_many_requests', outcome: 'failed', message: error.message };
  }
  if (error instanceof Unavailable) {
    return { code: 'scheduler.unavailable', outcome: 'failed', message: error.message };
  }
  throw error;
}
