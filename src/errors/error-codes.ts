// THE table: which status and code each domain error becomes on the wire. The reference page is printed from it.
import {
  BadQueryValue,
  CannotDeleteParent,
  ConcurrentUpdate,
  Conflict,
  DuplicateName,
  DuplicateQueryKey,
  InvalidInput,
  InventoryInUse,
  MissingQueryValue,
  NotFound,
  OutcomeUnknown,
  ProviderInUse,
  SearchGaveUp,
  Unavailable,
  UnknownReference,
  UnknownReshapedProvider,
} from './domain-errors';
import type { DomainError } from './domain-errors';

export const UNDEFINED_CODE = 'placement.undefined_code';

export interface ErrorRow {
  readonly error: abstract new (...args: never[]) => DomainError;
  readonly status: number;
  readonly code: string;
  readonly meaning: string;
}

const row = (error: ErrorRow['error'], status: number, code: string, meaning: string): ErrorRow => ({
  error,
  status,
  code,
  meaning,
});

/** Most specific first: a subclass stands above its parent. */
export const ERROR_TABLE: readonly ErrorRow[] = [
  row(NotFound, 404, UNDEFINED_CODE, 'The thing named by the path does not exist.'),
  row(UnknownReference, 400, UNDEFINED_CODE, 'A thing named in the body or the query does not exist.'),
  row(
    UnknownReshapedProvider,
    400,
    'placement.resource_provider.not_found',
    'The reshaper names a provider that does not exist.',
  ),
  row(DuplicateQueryKey, 400, 'placement.query.duplicate_key', '`root_required` is given twice.'),
  row(BadQueryValue, 400, 'placement.query.bad_value', 'A query value contradicts itself or the rest of the query.'),
  row(MissingQueryValue, 400, 'placement.query.missing_value', 'A candidates query asks for no resources.'),
  row(InvalidInput, 400, UNDEFINED_CODE, 'Body, query or header breaks the contract.'),
  row(
    ConcurrentUpdate,
    409,
    'placement.concurrent_update',
    'A generation of a provider or consumer differs: read again and retry. Also: an inventory record that exists ' +
      'already, and removal of a single record in use.',
  ),
  row(
    InventoryInUse,
    409,
    'placement.inventory.inuse',
    'Inventory with allocations on it cannot be removed (whole sets and the reshaper).',
  ),
  row(DuplicateName, 409, 'placement.duplicate_name', 'Another provider has this name or uuid.'),
  row(ProviderInUse, 409, 'placement.resource_provider.inuse', 'A provider with allocations cannot be deleted.'),
  row(
    CannotDeleteParent,
    409,
    'placement.resource_provider.cannot_delete_parent',
    'A provider with children cannot be deleted.',
  ),
  row(Conflict, 409, UNDEFINED_CODE, 'Any other conflict with the present state: in use, exists, does not fit.'),
  row(
    SearchGaveUp,
    503,
    'placement.search_gave_up',
    'A search found nothing within the work that one request may cost. Unlike an empty answer it does not say that ' +
      'nothing fits; asking again does not help, asking for less does.',
  ),
  row(
    OutcomeUnknown,
    503,
    UNDEFINED_CODE,
    'The database was lost while it carried out a write: that happened before, or never will. Look before you retry.',
  ),
  row(
    Unavailable,
    503,
    UNDEFINED_CODE,
    'The database cannot be reached, or refuses to serve, or a bounded queue is full; the detail says which. Retry later.',
  ),
];

/** The row of an error; `undefined` for errors that nobody declared, which are ours (500). */
export function errorRowOf(error: unknown): ErrorRow | undefined {
  return ERROR_TABLE.find((entry) => error instanceof entry.error);
}
