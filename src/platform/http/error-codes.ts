// The status of each error code and its names in both APIs. The reference page is generated from this table.
import type { ErrorCode, SchedulerCode } from '../values/errors';

interface ErrorRow {
  readonly status: 400 | 401 | 403 | 404 | 405 | 406 | 409 | 413 | 415 | 429 | 503;
  readonly meaning: string;
  /** Its name in the scheduler API, if different. */
  readonly inScheduler?: SchedulerCode;
  /** The condition is temporary, so the answer has a Retry-After header. */
  readonly passes?: true;
}

export const UNDEFINED_CODE = 'placement.undefined_code';

export const ERROR_CODES: Readonly<Record<ErrorCode, ErrorRow>> = {
  not_found: { status: 404, meaning: 'The object in the path does not exist.', inScheduler: 'scheduler.not_found' },
  unknown_reference: {
    status: 400,
    meaning: 'An object in the body or the query does not exist.',
    inScheduler: 'scheduler.invalid_request',
  },
  'placement.resource_provider.not_found': {
    status: 400,
    meaning: 'The reshaper names a provider that does not exist.',
  },
  'placement.query.duplicate_key': { status: 400, meaning: '`root_required` is given twice.' },
  'placement.query.bad_value': { status: 400, meaning: 'A query value contradicts itself or the rest of the query.' },
  'placement.query.missing_value': { status: 400, meaning: 'A candidates query asks for no resources.' },
  invalid_input: {
    status: 400,
    meaning: 'Body, query or header breaks the contract.',
    inScheduler: 'scheduler.invalid_request',
  },
  unauthenticated: { status: 401, meaning: 'The credentials in the body are invalid.' },
  forbidden: { status: 403, meaning: 'A policy forbids this to the caller.' },
  method_not_allowed: { status: 405, meaning: 'The path does not have this method at the requested version.' },
  not_acceptable: { status: 406, meaning: 'The client does not accept JSON.' },
  too_large: { status: 413, meaning: 'The body is larger than the limit.' },
  unsupported_media_type: { status: 415, meaning: 'The route does not accept the media type of the body.' },
  'placement.concurrent_update': {
    status: 409,
    meaning:
      'A generation of a provider or consumer differs: read again and retry. Also: an inventory record that exists ' +
      'already, and removal of a single record in use.',
  },
  'placement.inventory.inuse': {
    status: 409,
    meaning: 'Inventory with allocations on it cannot be removed (whole sets and the reshaper).',
  },
  'placement.duplicate_name': { status: 409, meaning: 'Another provider has this name or uuid.' },
  'placement.resource_provider.inuse': { status: 409, meaning: 'A provider with allocations cannot be deleted.' },
  'placement.resource_provider.cannot_delete_parent': {
    status: 409,
    meaning: 'A provider with children cannot be deleted.',
  },
  conflict: {
    status: 409,
    meaning: 'Any other conflict with the current state: in use, exists already, does not fit.',
  },
  'placement.search_gave_up': {
    status: 503,
    meaning:
      'A search reached its work limit without a candidate. Unlike an empty answer, it does not mean that ' +
      'nothing fits; ask for less instead of repeating the request.',
    inScheduler: 'scheduler.search_gave_up',
  },
  'placement.too_many_requests': {
    status: 429,
    meaning:
      'Too many searches, decisions or simulations of this client are queued. Claims, reports and plain reads never get ' +
      'this. Retry later.',
    inScheduler: 'scheduler.too_many_requests',
    passes: true,
  },
  outcome_unknown: {
    status: 503,
    meaning:
      'The connection to the database was lost during a write. Its outcome is unknown: read the resource before you retry.',
    inScheduler: 'scheduler.unavailable',
    passes: true,
  },
  unavailable: {
    status: 503,
    meaning:
      'The database cannot be reached, or refuses requests, or a bounded queue is full. See the detail. Retry later.',
    inScheduler: 'scheduler.unavailable',
    passes: true,
  },
  'scheduler.invalid_request': {
    status: 400,
    meaning:
      'A field of the body or the query is wrong, or names what does not exist; the detail begins with its path.',
  },
  'scheduler.unsupported': { status: 400, meaning: 'The detail names a field that is not supported.' },
  'scheduler.not_found': { status: 404, meaning: 'The object in the path does not exist.' },
  'scheduler.no_candidates': {
    status: 409,
    meaning: 'Placement has no allocation candidates. The decision lists what is missing.',
  },
  'scheduler.no_valid_host': {
    status: 409,
    meaning: 'No host, or too few, got through prefilters, filters and claims.',
  },
  'scheduler.claims_lost': { status: 409, meaning: 'Hosts passed, but other requests claimed their resources.' },
  'scheduler.attempts_exhausted': {
    status: 409,
    meaning: 'A build failed and there is no further host, or too many were tried; the claim is released.',
  },
  'scheduler.generation_conflict': {
    status: 409,
    meaning: 'Another request changed it, or the generation is outdated. Read it again.',
  },
  'scheduler.in_use': {
    status: 409,
    meaning: 'The object is in use; or the instance is being moved, or is not being moved.',
  },
  'scheduler.duplicate_name': { status: 409, meaning: 'Another object has this name or uuid.' },
  'scheduler.search_gave_up': {
    status: 503,
    meaning:
      'The search reached its work limit without a candidate. It does not mean that nothing fits; ask for less instead ' +
      'of repeating the request.',
  },
  'scheduler.too_many_requests': {
    status: 429,
    meaning: 'Too many requests of this client are queued. Retry later.',
    passes: true,
  },
  'scheduler.unavailable': {
    status: 503,
    meaning: 'Placement or the database cannot be reached, or a queue is full; retry later.',
    passes: true,
  },
  'console.wrong_credentials': {
    status: 401,
    meaning: 'The Identity service rejects this combination of user, password and project.',
  },
  'console.login_refused': {
    status: 403,
    meaning: 'The Identity service does not accept a password alone for this account.',
  },
  'console.foreign_page': {
    status: 403,
    meaning: 'The login page is from another origin, or the service does not know its public address.',
  },
  'console.too_many_logins': {
    status: 429,
    meaning: 'Too many login attempts from this address or for this user. Retry after the time in `Retry-After`.',
    passes: true,
  },
  'console.identity_unavailable': {
    status: 503,
    meaning: 'The Identity service is not available, or too many logins are queued. Retry later.',
    passes: true,
  },
};

/** Codes without a dot have no specific name on the wire. */
export const wireCodeOf = (code: ErrorCode): string => (code.includes('.') ? code : UNDEFINED_CODE);
