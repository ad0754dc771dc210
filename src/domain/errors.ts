// What a client may be told. An error knows its code and its subject, and nothing of HTTP: http/error-codes.ts says which
// status each code has, http/ renders it. A class of its own is for what somebody catches, or what makes its own
// sentence, or what half of the house throws; all else is thrown by its code.

/** The codes of the scheduler API, as decisions and refusals name them. */
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

/** The codes of logins at the console. */
type ConsoleCode =
  | 'console.wrong_credentials'
  | 'console.login_refused'
  | 'console.foreign_page'
  | 'console.too_many_logins'
  | 'console.identity_unavailable';

/** All codes. Those without a dot have no name of their own on the wire of the Placement API. */
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
 * The root of everything a client may be told. `message` is one line, for people, shown verbatim, and never holds SQL,
 * stacks or secrets; `cause` is for the log; `decision` is the document of the decision that ended so;
 * `retryAfterSeconds` is when to ask again, where that is known better than by the code.
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

/** The thing named by the path does not exist. */
export class NotFound extends DomainError {
  constructor(message: string) {
    super('not_found', message);
  }
}

/** A thing named in the body or the query does not exist. */
export class UnknownReference extends DomainError {
  constructor(message: string) {
    super('unknown_reference', message);
  }
}

/** Body, query or header breaks the contract. */
export class InvalidInput extends DomainError {
  constructor(message: string) {
    super('invalid_input', message);
  }
}

/** A generation differs, or somebody else changed the same thing meanwhile. */
export class ConcurrentUpdate extends DomainError {
  constructor(message: string, options?: ErrorOptions) {
    super('placement.concurrent_update', message, options);
  }
}

/** A consumer's generation differs; the message has the fragment that clients look for. */
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

/** Inventory with allocations on it cannot go. */
export class InventoryInUse extends DomainError {
  constructor(resourceClasses: readonly string[], providerUuid: string) {
    super(
      'placement.inventory.inuse',
      `Inventory for '${resourceClasses.join(', ')}' on resource provider '${providerUuid}' in use.`,
    );
  }
}

/** A name or uuid is taken by another provider. */
export class DuplicateName extends DomainError {
  constructor(message: string) {
    super('placement.duplicate_name', message);
  }
}

/** Any other conflict with the present state: in use, exists, does not fit. */
export class Conflict extends DomainError {
  constructor(message: string) {
    super('conflict', message);
  }
}

/** An allocation that does not fit: no inventory, units, or capacity. */
export class AllocationRefused extends Conflict {}

/** The database cannot be reached, or a bounded queue is full. */
export class Unavailable extends DomainError {
  constructor(message: string, options?: ErrorOptions, code: ErrorCode = 'unavailable') {
    super(code, message, options);
  }
}

/**
 * The database was lost in the middle of a commit: the write happened before, or never will. Nobody may try it again on
 * behalf of the client.
 */
export class OutcomeUnknown extends Unavailable {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options, 'outcome_unknown');
  }
}

/**
 * A search gave up before it found anything: the request asks for more work than one request may cost. It is no "no
 * candidates", and asking again does not help.
 */
export class SearchGaveUp extends DomainError {
  constructor(message: string) {
    super('placement.search_gave_up', message);
  }
}

/** The client asks for more at a time than its share of the service: later, or with fewer requests, it is served. */
export class TooManyRequests extends DomainError {
  constructor(message: string) {
    super('placement.too_many_requests', message);
  }
}
