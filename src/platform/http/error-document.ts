// Renders a refusal as `{ "errors": [...] }`, a small HTML page or plain text, depending on the Accept header.
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { CallerGone } from '../event-loop/caller';
import type { DomainError } from '../values/errors';
import type { ErrorFormat } from './accept';
import { errorFormat } from './accept';
import { ERROR_CODES, UNDEFINED_CODE, wireCodeOf } from './error-codes';
import { escapeHtml } from './html';
import { JSON_TYPE } from './json-body';
import { jsonBody } from './long-json';
import type { RequestContext, Surface } from './request-context';
import type { SendLog } from './send-body';
import { sendLong } from './send-body';
import { hasSchedulerCodes } from './surface';

/** The content of a refusal. `detail` is one line without internals. */
export interface Refusal {
  readonly status: number;
  readonly detail: string;
  readonly code?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of the error object. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
  /** The JSON form, if it is not the API's error document. */
  readonly document?: object;
  /** The client gets JSON even if it does not accept it. */
  readonly isAlwaysJson?: boolean;
}

const retryAfter = (seconds: number = HTTP_LIMITS.retryAfterSeconds): Readonly<Record<string, string>> => ({
  'retry-after': String(seconds),
});

/** The refusal of an error for the surface's clients. */
export function refusalOfError({ code, message, decision, retryAfterSeconds }: DomainError, surface: Surface): Refusal {
  const { status, inScheduler, passes } = ERROR_CODES[code];
  return {
    status,
    code: hasSchedulerCodes(surface) && inScheduler !== undefined ? inScheduler : wireCodeOf(code),
    detail: message,
    headers: passes === true ? retryAfter(retryAfterSeconds) : {},
    extra: decision && { decision },
  };
}

const GENERIC: Readonly<Record<number, string>> = {
  400: 'The server could not comply with the request since it is either malformed or otherwise incorrect.',
  401: 'This server could not verify that you are authorized to access the document you requested.',
  403: 'Access was denied to this resource.',
  404: 'The resource could not be found.',
  405: 'The method specified is not allowed for this resource.',
  406: 'The resource could not be generated that was acceptable to your browser.',
  409: 'There was a conflict when trying to complete your request.',
  413: 'The body of your request was too large for this server.',
  414: 'The address of your request was too long for this server.',
  415: 'The media type of the body is not supported by this resource.',
  429: 'The server has received too many requests from this client.',
  431: 'The headers of your request were too large for this server.',
  500: 'The server has either erred or is incapable of performing the requested operation.',
  503: 'The server is currently unavailable. Please try again at a later time.',
};

export function titleOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

const specificOf = ({ detail }: Refusal): string =>
  detail.replaceAll(/[\r\n]+/g, ' ').slice(0, HTTP_LIMITS.errorDetailCharacters);

/** The sentence of the refusal, otherwise the general sentence of its status. */
const withReasons = (refusal: Refusal): string =>
  specificOf(refusal) || (GENERIC[refusal.status] ?? titleOf(refusal.status));

/** Placement's contract has the general sentence of the status first; elsewhere it would hide the reason. */
function detailOf(refusal: Refusal, surface: Surface): string {
  if (surface !== 'placement') return withReasons(refusal);
  const specific = specificOf(refusal);
  return `${GENERIC[refusal.status] ?? titleOf(refusal.status)}\n\n ${specific}  `;
}

/** The JSON form. `code` is omitted if the request's version has no codes. */
export function errorDocument(
  refusal: Refusal,
  {
    requestId,
    hasCodes,
    surface,
  }: { readonly requestId: string; readonly hasCodes: boolean; readonly surface: Surface },
): object {
  return {
    errors: [
      {
        status: refusal.status,
        title: titleOf(refusal.status),
        detail: detailOf(refusal, surface),
        ...(hasCodes && { code: refusal.code ?? UNDEFINED_CODE }),
        request_id: requestId,
        ...refusal.extra,
      },
    ],
  };
}

/** The JSON form of the request's surface. */
function documentOf(
  refusal: Refusal,
  { mount, surface, api, requestId }: Pick<RequestContext, 'mount' | 'surface' | 'api' | 'requestId'>,
): object {
  if (refusal.document !== undefined) return refusal.document;
  if (mount !== undefined)
    return mount.refusalDocument({ ...refusal, detail: withReasons(refusal), title: titleOf(refusal.status) });
  const hasCodes = surface !== 'placement' || api?.has('errorCodes') === true;
  return errorDocument(refusal, { requestId, hasCodes, surface });
}

function htmlPage(refusal: Refusal, surface: Surface): string {
  const title = `${refusal.status} ${titleOf(refusal.status)}`;
  const text = escapeHtml(detailOf(refusal, surface)).replaceAll('\n\n', '<br /><br />\n');
  return `<html>\n <head>\n  <title>${title}</title>\n </head>\n <body>\n  <h1>${title}</h1>\n  ${text}\n </body>\n</html>`;
}

const formatOf = (
  { isAlwaysJson }: Refusal,
  { mount }: Pick<RequestContext, 'mount'>,
  accept: string | undefined,
): ErrorFormat => (isAlwaysJson === true || mount?.obeysAccept === false ? 'json' : errorFormat(accept));

interface Rendered {
  readonly type: string;
  readonly text: string;
}

function pageOf(refusal: Refusal, format: 'html' | 'text', surface: Surface): Rendered {
  if (format === 'html') return { type: 'text/html; charset=UTF-8', text: htmlPage(refusal, surface) };
  const text = `${refusal.status} ${titleOf(refusal.status)}\n\n${detailOf(refusal, surface)}`;
  return { type: 'text/plain; charset=UTF-8', text };
}

/** The body of a short refusal, in the format that the client accepts. */
export function renderedRefusal(refusal: Refusal, context: RequestContext, accept: string | undefined): Rendered {
  const format = formatOf(refusal, context, accept);
  if (format !== 'json') return pageOf(refusal, format, context.surface);
  return { type: JSON_TYPE, text: JSON.stringify(documentOf(refusal, context)) };
}

/** A long document is sent chunk by chunk. As bytes, because Fastify would add a charset to text of this type. */
function sendJson(document: object, reply: FastifyReply, log: SendLog): void {
  const body = jsonBody(document);
  if (typeof body === 'string') {
    reply.send(Buffer.from(body));
    return;
  }
  sendLong(body, reply, log).catch((error: unknown) => {
    const { requestId } = reply.request.berth;
    if (!(error instanceof CallerGone)) log.error({ request_id: requestId, err: error }, 'a refusal was not sent');
    reply.raw.destroy();
  });
}

/** Sends the refusal with all common headers. */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  log: SendLog = reply.log,
): void {
  const { berth } = request;
  berth.auditContext?.note({ errorCode: refusal.code });
  berth.auditContext?.answered(refusal.status);
  for (const [name, value] of Object.entries(refusal.headers ?? {})) reply.header(name, value);
  reply.code(refusal.status);
  const format = formatOf(refusal, berth, request.headers.accept);
  if (format === 'json') {
    reply.header('content-type', JSON_TYPE);
    sendJson(documentOf(refusal, berth), reply, log);
    return;
  }
  const { type, text } = pageOf(refusal, format, berth.surface);
  reply.header('content-type', type);
  reply.send(text);
}
