// The documents of refusals, and which of them what a route declares may lead to.
import type { ErrorCode } from '../domain/errors';
import { TEXT, listOf } from '../http/answer-schemas';
import { hasVersions } from '../http/mounted-api';
import { ERROR_CODES, UNDEFINED_CODE, wireCodeOf } from '../http/error-codes';
import { closed, named, since } from '../microversion/versioned-schema';
import { DECISION } from '../scheduler/decisions/decision.responses';
import type { DeclaredRoute } from '../http/declared-routes';

const CODES = [...new Set([UNDEFINED_CODE, ...(Object.keys(ERROR_CODES) as ErrorCode[]).map(wireCodeOf)])].sort();

const ALWAYS = { status: { type: 'integer' }, title: TEXT, detail: TEXT, request_id: TEXT };
const SOMETIMES = { code: { enum: CODES }, min_version: TEXT, max_version: TEXT, decision: DECISION };

/** `decision` is the scheduler's; the Placement API shows codes since there are some, the other surfaces always. */
const ERROR = named('Error', {
  ...closed({ ...ALWAYS, ...SOMETIMES }, Object.keys(SOMETIMES)),
  required: [...Object.keys(ALWAYS), since('errorCodes', 'code')],
});

export const ERROR_DOCUMENT = named('ErrorDocument', closed({ errors: listOf(ERROR) }));

/** What somebody is told who is not known; the form depends on who decides that. */
export const UNAUTHENTICATED = named('Unauthenticated', {
  anyOf: [
    closed({ message: TEXT, code: TEXT, title: TEXT }),
    closed({ error: closed({ code: { type: 'integer' }, title: TEXT, message: TEXT }) }),
    ERROR_DOCUMENT,
  ],
});

/** Names of the responses by status. */
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

/** Of all other refusals: of what is too large, of what is out of reach at present, of what failed. */
export const OTHER_REFUSAL = 'Refused';

/** The statuses of the refusals that a route may answer with, beside those that any may. */
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
    // A route that is open and takes a document is where callers come in.
    401: policy !== undefined || takesBody,
    // Whoever asks, and from where, is judged before the route is.
    403: true,
    // Of other services' routes some are there in some of their versions only; the console's hang on the build and on
    // who knows the callers.
    404: path.includes('{') || mount !== undefined || surface === 'console',
    // Whatever a route answers, the version has to be one.
    406: answersJson || surface === 'placement' || (mount !== undefined && hasVersions(mount)),
    409: method !== 'GET' && method !== 'HEAD',
    415: takesBody,
    429: isWeighed || (surface === 'console' && takesBody),
  };
  return Object.keys(REFUSAL_NAMES)
    .map(Number)
    .filter((each) => holds[each] === true);
}
