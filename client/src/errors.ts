// Errors of a call. Each class states what is known about the request: never sent, sent without an answer, or refused.
// A refusal has the service's code; codes that callers handle alike share one class.

/** Base class of all errors that a call throws. Exception: an aborted call throws the reason of the caller's signal. */
export class ClientError extends Error {
  /** Number of attempts of the call. */
  tries = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No connection was established, so the request was not sent. */
export class Unreachable extends ClientError {}

/** The request was sent, but no complete answer arrived in time: it was possibly executed, or will be. */
export class Unanswered extends ClientError {}

/** The answer is not from the service, or is too large. */
export class UnreadableAnswer extends ClientError {}

/** The Identity service issued no token. */
export class LoginFailed extends ClientError {}

/** The error object of the API, with the documented fields. */
export interface ErrorObject {
  readonly status: number;
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly request_id?: string;
  readonly [further: string]: unknown;
}

interface RefusalFacts {
  readonly status: number;
  /** The service's message in one line. */
  readonly detail: string;
  readonly error?: ErrorObject | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
}

/** The service answered with a status of 400 or above. */
export class Refusal extends ClientError {
  readonly status: number;
  /**
   * One of `ERROR_CODES`, or a code of a newer service. Undefined below microversion 1.23 and for answers of a proxy.
   */
  readonly code: string | undefined;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** Pause that the service requests before the next attempt. */
  readonly retryAfterMs: number | undefined;
  /** The complete error object. */
  readonly error: ErrorObject | undefined;

  constructor(asked: string, { status, detail, error, retryAfterMs, requestId }: RefusalFacts) {
    super(`${asked} was answered with ${status}: ${detail}`);
    this.status = status;
    this.code = error?.code;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.error = error;
  }
}

/** 400: the request violates the API contract, or its body or query names a missing object. Nothing was changed. */
export class InvalidRequest extends Refusal {}

/** 401: no credentials, or invalid ones. */
export class Unauthorized extends Refusal {}

/** 403: the policies deny the request for these credentials. */
export class Forbidden extends Refusal {}

/** 404: the object in the path does not exist, or the microversion has no such route. */
export class NotFound extends Refusal {}

/** 406: the service does not support this microversion. */
export class VersionRefused extends Refusal {}

/** 409: the request conflicts with the current state. Nothing was changed. */
export class Conflict extends Refusal {}

/** 409: another client changed the object, or the generation is outdated. Read the object again and retry. */
export class GenerationConflict extends Conflict {
  /** Whether the conflict concerns the generation of a consumer, not of a provider or a registry entry. */
  get isOfConsumer(): boolean {
    return this.detail.includes('consumer generation conflict');
  }
}

/** 409: the name or uuid is already in use. */
export class DuplicateName extends Conflict {}

/** 409: other objects depend on it. */
export class InUse extends Conflict {}

/** 409: the scheduler found no valid host; `decision` has the reasons. */
export class NoValidHost extends Conflict {
  /** The decision document, if the refusal has one. */
  get decision(): unknown {
    return this.error?.['decision'];
  }
}

/** 429: this client has too many queued requests. Nothing was changed. */
export class TooManyRequests extends Refusal {}

/** 503: a write was possibly executed; check before a retry. */
export class Unavailable extends Refusal {}

/** 503: the search exceeds the work limit of one request. A retry does not help; a narrower request does. */
export class SearchGaveUp extends Unavailable {}

type RefusalClass = typeof Refusal;

/** The class of each error code. `placement.undefined_code` carries no more information than its status. */
export const ERROR_CODES = {
  'placement.undefined_code': undefined,
  'placement.resource_provider.not_found': InvalidRequest,
  'placement.query.duplicate_key': InvalidRequest,
  'placement.query.bad_value': InvalidRequest,
  'placement.query.missing_value': InvalidRequest,
  'placement.concurrent_update': GenerationConflict,
  'placement.inventory.inuse': InUse,
  'placement.duplicate_name': DuplicateName,
  'placement.resource_provider.inuse': InUse,
  'placement.resource_provider.cannot_delete_parent': InUse,
  'placement.search_gave_up': SearchGaveUp,
  'placement.too_many_requests': TooManyRequests,
  'scheduler.invalid_request': InvalidRequest,
  'scheduler.unsupported': InvalidRequest,
  'scheduler.not_found': NotFound,
  'scheduler.no_candidates': NoValidHost,
  'scheduler.no_valid_host': NoValidHost,
  'scheduler.claims_lost': NoValidHost,
  'scheduler.attempts_exhausted': NoValidHost,
  'scheduler.generation_conflict': GenerationConflict,
  'scheduler.in_use': InUse,
  'scheduler.duplicate_name': DuplicateName,
  'scheduler.search_gave_up': SearchGaveUp,
  'scheduler.too_many_requests': TooManyRequests,
  'scheduler.unavailable': Unavailable,
  'console.wrong_credentials': Unauthorized,
  'console.login_refused': Forbidden,
  'console.foreign_page': Forbidden,
  'console.too_many_logins': TooManyRequests,
  'console.identity_unavailable': Unavailable,
} as const satisfies Readonly<Record<string, RefusalClass | undefined>>;

export type ErrorCode = keyof typeof ERROR_CODES;

const BY_STATUS: Readonly<Record<number, RefusalClass>> = {
  400: InvalidRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  406: VersionRefused,
  409: Conflict,
  429: TooManyRequests,
  503: Unavailable,
};

/** The class of a known code, otherwise that of the status, otherwise `Refusal`. */
export function refusalOf(asked: string, facts: RefusalFacts): Refusal {
  const code = facts.error?.code ?? '';
  const byCode = Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as ErrorCode] : undefined;
  return new (byCode ?? BY_STATUS[facts.status] ?? Refusal)(asked, facts);
}

/** The answer, or undefined for a 404. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
