// The code and the outcome of every decision without a placement.

import type { SchedulerCode } from '../../platform/values/errors';
import { DomainError, SearchGaveUp, TooManyRequests, Unavailable } from '../../platform/values/errors';
import { fieldFault } from '../../platform/values/field-fault';
import type { Outcome } from '../../scheduling-rules/pipeline/decision';
import { RequestRefused } from '../../scheduling-rules/request-spec/request-refusal';
import { NoSuchHost } from '../../scheduling-rules/request-spec/target-host';

/** A refusal; the controller decides how it travels. */
export interface SchedulingRefusal {
  readonly code: SchedulerCode;
  readonly outcome: Outcome;
  readonly message: string;
  /** The message is only its beginning: the sentence of the decision says the rest. */
  readonly namesReasons?: boolean;
}

/** The beginning of every refusal of this kind, which clients of nova search for. */
const NO_VALID_HOST = 'No valid host was found.';

/** Ends a decision from within. */
export class Refused extends Error {
  constructor(readonly refusal: SchedulingRefusal) {
    super(refusal.message);
  }
}

export const noValidHost = (code: SchedulerCode, reason: string): Refused =>
  new Refused({ code, outcome: 'no_valid_host', message: `${NO_VALID_HOST} ${reason}` });

/** No host is left; why is what the decision says. */
export const noHostLeft = (code: SchedulerCode): Refused =>
  new Refused({ code, outcome: 'no_valid_host', message: NO_VALID_HOST, namesReasons: true });

/** Hosts passed, and other requests took what was to be claimed there. */
export const isClaimLost = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.code === 'scheduler.claims_lost';

/** The refusal as clients see it, once the decision is closed. */
export function withReasons(sentence: string, { namesReasons, ...refusal }: SchedulingRefusal): SchedulingRefusal {
  return namesReasons === true ? { ...refusal, message: `${refusal.message} ${sentence}` } : refusal;
}

/** A check of hosts is no placement. */
export const nothingToCount = (): Refused =>
  new Refused({
    code: 'scheduler.unsupported',
    outcome: 'refused',
    message: fieldFault(
      'scheduler_hints._nova_check_type',
      'asks for a check of hosts for a rebuild, which places nothing that could be counted',
    ),
  });

/** These say nothing of the query itself. */
const OF_THE_SERVICE = [RequestRefused, Unavailable, SearchGaveUp, TooManyRequests];

/** A query that placement refuses is a bad request, in placement's own words. */
export function refusedByPlacement(error: unknown): unknown {
  if (!(error instanceof DomainError) || OF_THE_SERVICE.some((kind) => error instanceof kind)) return error;
  const { message } = error;
  return new Refused({ code: 'scheduler.invalid_request', outcome: 'refused', message });
}

/** The refusal for a known error; other errors are rethrown. */
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
