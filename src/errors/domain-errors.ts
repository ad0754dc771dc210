// Errors that know their subject and nothing of HTTP. error-codes.ts says which status and code each becomes;
// http/ renders them. A message is one line, for people, and never holds SQL, stacks or secrets.

/** The root of everything a client may be told. `message` is shown verbatim; `cause` is for the log. */
export abstract class DomainError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The thing named by the path does not exist (404). */
export class NotFound extends DomainError {}

/** A thing named in the body or the query does not exist (400). */
export class UnknownReference extends DomainError {}

/** The reshaper's `inventories` names a provider that does not exist (400, with a code of its own). */
export class UnknownReshapedProvider extends DomainError {}

/** Body, query or header breaks the contract (400). */
export class InvalidInput extends DomainError {}

/** `root_required` given twice (400, placement.query.duplicate_key). */
export class DuplicateQueryKey extends DomainError {}

/** A query value that contradicts itself or the rest of the query (400, placement.query.bad_value). */
export class BadQueryValue extends DomainError {}

/** A candidates query without any resources (400, placement.query.missing_value). */
export class MissingQueryValue extends DomainError {}

/** A generation differs, or somebody else changed the same thing meanwhile (409, placement.concurrent_update). */
export class ConcurrentUpdate extends DomainError {}

/** A consumer's generation differs (409, placement.concurrent_update, with the fragment clients look for). */
export class ConsumerGenerationConflict extends ConcurrentUpdate {
  constructor(consumerUuid: string, expected: number | null, actual: number | null) {
    const show = (generation: number | null): string => (generation === null ? 'null' : String(generation));
    super(
      `consumer generation conflict - expected ${show(actual)} but got ${show(expected)} for consumer ${consumerUuid}`,
    );
  }
}

/** A provider's generation differs (409, placement.concurrent_update). */
export class ProviderGenerationConflict extends ConcurrentUpdate {
  constructor(providerUuid: string) {
    super(
      `resource provider generation conflict for resource provider ${providerUuid}: ` +
        'it was changed meanwhile, read it again and retry.',
    );
  }
}

/** Inventory with allocations on it cannot go (409, placement.inventory.inuse). */
export class InventoryInUse extends DomainError {
  constructor(
    readonly resourceClasses: readonly string[],
    readonly providerUuid: string,
  ) {
    super(`Inventory for '${resourceClasses.join(', ')}' on resource provider '${providerUuid}' in use.`);
  }
}

/** A name or uuid is taken by another provider (409, placement.duplicate_name). */
export class DuplicateName extends DomainError {}

/** A provider with allocations cannot go (409, placement.resource_provider.inuse). */
export class ProviderInUse extends DomainError {}

/** A provider with children cannot go (409, placement.resource_provider.cannot_delete_parent). */
export class CannotDeleteParent extends DomainError {}

/** Any other conflict with the present state (409, placement.undefined_code): in use, exists, does not fit. */
export class Conflict extends DomainError {}

/** An allocation that does not fit: no inventory, units, or capacity (409, placement.undefined_code). */
export class AllocationRefused extends Conflict {}

/** The database cannot be reached, or a bounded queue is full (503 with Retry-After). */
export class Unavailable extends DomainError {
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The database was lost in the middle of a commit: the write happened before, or never will (503 with Retry-After).
 * Nobody may try it again on behalf of the client.
 */
export class OutcomeUnknown extends Unavailable {}

/**
 * A search gave up before it found anything: the request asks for more work than one request may cost (503 without
 * Retry-After, placement.search_gave_up). It is no "no candidates", and asking again does not help.
 */
export class SearchGaveUp extends DomainError {}
