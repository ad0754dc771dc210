// Error documents, and the error statuses that a route can return according to its declaration.
import { listOf, TEXT } from '../http/answer-schemas';
import type { DeclaredRoute } from '../http/declared-routes';
import { ERROR_CODES, UNDEFINED_CODE, wireCodeOf } from '../http/error-codes';
import { hasVersions } from '../http/mounted-api';
import type { SchemaNode } from '../microversion/versioned-schema';
import { closed, named, since } from '../microversion/versioned-schema';
import type { ErrorCode } from '../values/errors';

const CODES = [...new Set([UNDEFINED_CODE, ...(Object.keys(ERROR_CODES) as ErrorCode[]).map(wireCodeOf)])].sort();

const ALWAYS = { status: { type: 'integer' }, title: TEXT, detail: TEXT, request_id: TEXT };
const SOMETIMES = { code: { enum: CODES }, min_version: TEXT, max_version: TEXT };

/**
 * The document of an error. `members`: further optional members of each error. The Placement API sends codes from one
 * version on, the other surfaces always.
 */
export function errorDocumentSchema(members: SchemaNode): SchemaNode {
  const optional = { ...SOMETIMES, ...members };
  const error = named('Error', {
    ...closed({ ...ALWAYS, ...optional }, Object.keys(optional)),
    required: [...Object.keys(ALWAYS), since('errorCodes', 'code')],
  });
  return named('ErrorDocument', closed({ errors: listOf(error) }));
}

/** Error for unauthenticated requests; its format depends on the auth strategy. */
export const unauthenticatedSchema = (document: SchemaNode): SchemaNode =>
  named('Unauthenticated', {
    anyOf: [
      closed({ message: TEXT, code: TEXT, title: TEXT, hint: TEXT }),
      closed({ error: closed({ code: { type: 'integer' }, title: TEXT, message: TEXT }), hint: TEXT }),
      document,
    ],
  });

/** Response names by status. */
export const REFUSAL_NAMES: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
};

/** Name of the default response: for requests that are too large, unavailable dependencies, and failures. */
export const OTHER_REFUSAL = 'Refused';

/** The error statuses of a route, in addition to the default response. */
export function refusalsOf({
  method,
  path,
  policy,
  takesBody,
  answersJson,
  surface,
  mount,
  isWeighed,
}: DeclaredRoute): readonly number[] {
  const holds: Readonly<Record<number, boolean>> = {
    400: true,
    // A public route with a body is a login.
    401: policy !== undefined || takesBody,
    // The checks of caller and origin precede every route.
    403: true,
    // Some routes of mounted APIs exist only in some versions; console routes depend on the build and auth strategy.
    404: path.includes('{') || mount !== undefined || surface === 'console',
    // The version in the header is checked, independent of the content type of the response.
    406: answersJson || surface === 'placement' || (mount !== undefined && hasVersions(mount)),
    409: method !== 'GET' && method !== 'HEAD',
    415: takesBody,
    429: isWeighed || (surface === 'console' && takesBody),
  };
  return Object.keys(REFUSAL_NAMES)
    .map(Number)
    .filter((each) => holds[each] === true);
}
