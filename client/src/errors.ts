// What a call may throw. Every class says what is known of the request: never sent, sent without an answer, or refused.
// A refusal has the service's code, and one class for the codes that a caller treats alike.

/** The root of everything that a call throws itself; a caller's own AbortSignal is thrown by its reason instead. */
export class ClientError extends Error {
  /** How often the call was sent, or tried to. */
  tries = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No connection could be made: nothing was sent. */
export class Unreachable extends ClientError {}

/** It was sent, and no whole answer came in time: what was asked may have been done, may be done yet, or never. */
export class Unanswered extends ClientError {}

/** Something answered that is not the service, or more than is read. */
export class UnreadableAnswer extends ClientError {}

/** The Identity service gave no token. */
export class LoginFailed extends ClientError {}

/** The error object of the API, as far as it is known. */
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
  /** What the service said, in one line. */
  readonly detail: string;
  readonly error?: ErrorObject | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
}

/** The service answered with a status of 400 or above. */
export class Refusal extends ClientError {
  readonly status: number;
  /** One of `ERROR_CODES`, or what a newer service says; undefined below microversion 1.23, and of what is in between. */
  readonly code: string | undefined;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** When the service wants to be asked again. */
  readonly retryAfterMs: number | undefined;
  /** The whole error object. */
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

/** 400: the request breaks the contract, or names in its body or query what does not exist. Nothing was done. */
export class InvalidRequest extends Refusal {}

/** 401: no credentials, or none that are valid. */
export class Unauthorized extends Refusal {}

/** 403: these credentials may not. */
export class Forbidden extends Refusal {}

/** 404: what the path names does not exist, or the microversion knows no such route. */
export class NotFound extends Refusal {}

/** 406: the service does not speak this microversion. */
export class VersionRefused extends Refusal {}

/** 409: it does not agree with the present state. Nothing was done. */
export class Conflict extends Refusal {}

/** 409: somebody else changed it meanwhile, or the generation is not the one in force: read it again and retry. */
export class GenerationConflict extends Conflict {
  /** Whether it is the generation of a consumer, and not of a provider or a registered thing. */
  get isOfConsumer(): boolean {
    return this.detail.includes('consumer generation conflict');
  }
}

/** 409: another one has this name or uuid. */
export class DuplicateName extends Conflict {}

/** 409: others need it as it is. */
export class InUse extends Conflict {}

/** 409: the scheduler places nothing; `decision` says why. */
export class NoValidHost extends Conflict {
  /** The document of the decision, where the refusal has one. */
  get decision(): unknown {
    return this.error?.['decision'];
  }
}

/** 429: this client has as much waiting as it may. Nothing was done. */
export class TooManyRequests extends Refusal {}

/** 503: of a write nobody may know whether it was done: look before you retry. */
export class Unavailable extends Refusal {}

/** 503: the search costs more work than one request may. Asking again does not help, asking for less does. */
export class SearchGaveUp extends Unavailable {}

type RefusalClass = typeof Refusal;

/** THE table: the class of each code. `placement.undefined_code` says no more than its status. */
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

/** The class of a code that is known, else that of the status, else `Refusal` itself. */
export function refusalOf(asked: string, facts: RefusalFacts): Refusal {
  const code = facts.error?.code ?? '';
  const byCode = Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as ErrorCode] : undefined;
  return new (byCode ?? BY_STATUS[facts.status] ?? Refusal)(asked, facts);
}

/** The answer, or undefined where the path names nothing. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
