// Errors for clients. An error has a code and a message and knows no HTTP: http/error-codes.ts has the status of each
// code, src/platform/http renders it. An error has its own class if code catches it, if it composes its message, or if many
// files throw it; all others are a DomainError with a code.

/** The codes of the scheduler API in decisions and refusals. */
export type SchedulerCode =
  | 'scheduler.invalid_request'
  | 'scheduler.unsupported'
  | 'scheduler.not_found'
  | 'scheduler.no_candidates'
  | 'scheduler.no_valid_host'
  | 'scheduler.claims_lost'
  | 'scheduler.attempts_exhausted'
  | 'scheduler.generation_conflict'
  | 'scheduler.in_use'
  | 'scheduler.duplicate_name'
  | 'scheduler.search_gave_up'
  | 'scheduler.too_many_requests'
  | 'scheduler.unavailable';

/** The codes of console logins. */
type ConsoleCode =
  | 'console.wrong_credentials'
  | 'console.login_refused'
  | 'console.foreign_page'
  | 'console.too_many_logins'
  | 'console.identity_unavailable';

/** All codes. Codes without a dot have no specific name in the Placement API. */
export type ErrorCode =
  | 'not_found'
  | 'unknown_reference'
  | 'invalid_input'
  | 'unauthenticated'
  | 'forbidden'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'outcome_unknown'
  | 'unavailable'
  | 'placement.resource_provider.not_found'
  | 'placement.query.duplicate_key'
  | 'placement.query.bad_value'
  | 'placement.query.missing_value'
  | 'placement.concurrent_update'
  | 'placement.inventory.inuse'
  | 'placement.duplicate_name'
  | 'placement.resource_provider.inuse'
  | 'placement.resource_provider.cannot_delete_parent'
  | 'placement.search_gave_up'
  | 'placement.too_many_requests'
  | ConsoleCode
  | SchedulerCode;

interface ErrorFacts extends ErrorOptions {
  readonly decision?: object;
  readonly retryAfterSeconds?: number;
}

/**
 * Base class of all errors for clients. `message` is one line, shown verbatim, and never contains SQL, stacks or
 * secrets. `cause` is for the log; `decision` is the decision document. `retryAfterSeconds` overrides the code's
 * default.
 */
export class DomainError extends Error {
  readonly decision: object | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { decision, retryAfterSeconds, ...options }: ErrorFacts = {},
  ) {
    super(message, options);
    this.name = new.target.name;
    this.decision = decision;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Base class of the errors with this code. */
const errorOf = (code: ErrorCode) =>
  class extends DomainError {
    constructor(message: string, options?: ErrorOptions) {
      super(code, message, options);
    }
  };

/** The object in the path does not exist. */
export class NotFound extends errorOf('not_found') {}

/** An object in the body or the query does not exist. */
export class UnknownReference extends DomainError {
  constructor(
    message: string,
    /** Finds the suggestion: a sentence after a blank, or an empty text. */
    private readonly suggestion?: () => Promise<string>,
  ) {
    super('unknown_reference', message);
  }

  /** For routes of Berth: the messages of the Placement API are the reference's and have no suggestion. */
  async withSuggestion(): Promise<UnknownReference> {
    return this.suggestion === undefined ? this : new UnknownReference(`${this.message}${await this.suggestion()}`);
  }
}

/** Body, query or header violates the API contract. */
export class InvalidInput extends errorOf('invalid_input') {}

/** A generation differs, or another request changed the same object meanwhile. */
export class ConcurrentUpdate extends errorOf('placement.concurrent_update') {}

/** A consumer's generation differs; the message contains the phrase that clients match. */
export class ConsumerGenerationConflict extends ConcurrentUpdate {
  constructor(consumerUuid: string, expected: number | null, actual: number | null) {
    const show = (generation: number | null): string => (generation === null ? 'null' : String(generation));
    super(
      `consumer generation conflict - expected ${show(actual)} but got ${show(expected)} for consumer ${consumerUuid}`,
    );
  }
}

/** A provider's generation differs. Clients match the second sentence. */
export class ProviderGenerationConflict extends ConcurrentUpdate {
  constructor(providerUuid: string) {
    super(
      `resource provider generation conflict for resource provider ${providerUuid}. ` +
        'Please update the generation and try again.',
    );
  }
}

/** Inventory with allocations cannot be deleted. Clients match the text, with its beginning by route. */
export class InventoryInUse extends DomainError {
  constructor(resourceClasses: readonly string[], providerUuid: string, begin: 'update conflict: ' | '' = '') {
    super(
      'placement.inventory.inuse',
      `${begin}Inventory for '${resourceClasses.join(', ')}' on resource provider '${providerUuid}' in use.`,
    );
  }
}

/** The name or uuid belongs to another provider. */
export class DuplicateName extends errorOf('placement.duplicate_name') {}

/** Any other conflict with the current state: in use, exists, does not fit. */
export class Conflict extends errorOf('conflict') {}

/** An allocation that does not fit: no inventory, units, or capacity. */
export class AllocationRefused extends Conflict {}

/** The database cannot be reached, or a bounded queue is full. */
export class Unavailable extends DomainError {
  constructor(message: string, options?: ErrorOptions, code: ErrorCode = 'unavailable') {
    super(code, message, options);
  }
}

/** The cluster aborted every attempt of a write, and nothing changed. This is no conflict of generations. */
export class ClusterAborts extends Unavailable {
  constructor(attempts: number, options?: ErrorOptions) {
    super(
      `The database cluster kept aborting the write: gave up after ${attempts} attempts. Retry the request.`,
      options,
    );
  }
}

/** The connection was lost during a commit, so the outcome of the write is unknown. The service must not retry it. */
export class OutcomeUnknown extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options, 'outcome_unknown');
  }
}

/**
 * A search reached its work limit before it found a candidate. This differs from "no candidates", and a retry does not
 * help.
 */
export class SearchGaveUp extends errorOf('placement.search_gave_up') {}

/** The client exceeds its share of the service; a later retry, or fewer requests, will be served. */
export class TooManyRequests extends errorOf('placement.too_many_requests') {}
