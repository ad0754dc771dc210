// Requests that never reach a route: the router cannot read their path, or the parser cannot read them at all. They go
// through the same stages as all others, as far as they can be read: request id, authentication, version, refusal, log.
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits';
import { negotiate } from '../microversion/api-version';
import { admitted, authentication, commonHeaders, describeRequest, unauthenticated, undecided } from './edge';
import type { EdgeSettings, LoggedRequest } from './edge';
import { documentOf, errorDocument, sendRefusal, titleOf } from './error-document';
import type { RequestContext } from './request-context';
import { writeTrailOf } from './write-trail';

/** The router itself refused the path, before any hook. */
export function refuseUnroutable(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: EdgeSettings,
): void {
  request.berth = describeRequest(request.raw, settings);
  // What the router gave up on has no route, and cannot be asked for one.
  const { berth, method, headers } = request;
  berth.trail = writeTrailOf({ berth, method, headers }, settings.audit);
  settings.log.started(request);
  reply.raw.once('close', () => settings.log.ended(request, { status: reply.statusCode, bytes: null }));
  const refuse = (isAdmitted: boolean): void => {
    if (!isAdmitted) return;
    reply.headers(commonHeaders(request.berth));
    const status = (error as { statusCode?: number }).statusCode === 414 ? 414 : 400;
    sendRefusal(request, reply, { status, detail: 'The address cannot be read: it is too long or wrongly encoded.' });
  };
  reply.headers(commonHeaders(request.berth));
  const outcome = admitted(request, reply, settings);
  if (outcome instanceof Promise) outcome.then(refuse, () => reply.raw.destroy());
  else refuse(outcome);
}

/** What Node says of a request that it could not read, with the bytes it read last. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is no request to Node never becomes one: it is answered on the bare socket, which is closed behind it. */
export function refuseUnreadable(error: ClientError, socket: Socket, settings: EdgeSettings): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const head = readHead(error.rawPacket);
  const berth = describeRequest({ url: head.url, headers: head.headers, socket }, settings);
  const request: LoggedRequest = { berth, method: head.method, originalUrl: head.url };
  berth.trail = writeTrailOf({ ...request, headers: head.headers }, settings.audit);
  settings.log.started(request);
  const answer = (status: number, document: object, headers: Readonly<Record<string, string>> = {}): void => {
    const body = JSON.stringify(document);
    // Whoever asks for the head alone would take a body for the next answer.
    const sent = head.method === 'HEAD' ? '' : body;
    if (socket.writable) endSoon(socket, `${headText(status, body, berth, headers)}\r\n${sent}`);
    settings.log.ended(request, { status, bytes: Buffer.byteLength(sent) });
    berth.trail?.answered(status);
  };
  const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400;
  const refusal = (): void => {
    answer(status, documentOf({ status, detail: sentenceOf(head) }, berth));
  };
  // Of what is not even a head nothing is known that could be judged.
  if (!head.isReadable) return refusal();
  const judge = (caller: Awaited<ReturnType<typeof authentication>>): void => {
    if (!caller.authenticated && 'retryAfterSeconds' in caller) {
      const { headers = {}, ...told } = undecided(caller);
      const document =
        berth.mount === undefined ? errorDocument(told, berth.requestId, false) : documentOf(told, berth);
      return answer(told.status, document, headers);
    }
    if (!caller.authenticated) {
      const { document, headers } = unauthenticated(caller, berth);
      return answer(401, document, headers);
    }
    berth.principal = caller.principal;
    const version = head.headers['openstack-api-version'];
    const outcome = berth.surface === 'placement' ? negotiate(version) : undefined;
    if (outcome?.kind === 'version') berth.api = outcome.version;
    refusal();
  };
  const caller = authentication({ berth, headers: head.headers, method: head.method }, settings);
  if (caller instanceof Promise) caller.then(judge, () => socket.destroy());
  else judge(caller);
}

/** Says its last, and does not wait for long until the other end hears it: it may never close. */
function endSoon(socket: Socket, last: string): void {
  socket.end(last);
  const over = setTimeout(() => socket.destroy(), HTTP_LIMITS.refusedTimeoutMs);
  socket.once('close', () => clearTimeout(over));
}

interface Head {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isReadable: boolean;
}

const REQUEST_LINE = /^([A-Z]{1,20}) (\S+) HTTP\/1\.[01]$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** Request line and headers of what Node gave up on, as far as they are there. */
function readHead(packet: unknown): Head {
  const text = packet instanceof Buffer ? packet.toString('latin1', 0, HTTP_LIMITS.headerBytes) : '';
  const [first = '', ...lines] = (text.split('\r\n\r\n', 1)[0] ?? '').split('\r\n');
  const found = REQUEST_LINE.exec(first);
  if (found === null) return { method: '-', url: '-', headers: {}, isReadable: false };
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers[name.toLowerCase()] ??= value;
  }
  return { method: found[1] ?? '-', url: found[2] ?? '-', headers, isReadable: true };
}

function sentenceOf({ headers }: Head): string {
  const length = headers['content-length'];
  if (length !== undefined && !/^\d+$/.test(length)) return 'the content-length header must be an integer';
  return 'The request cannot be read.';
}

function headText(
  status: number,
  body: string,
  berth: RequestContext,
  further: Readonly<Record<string, string>>,
): string {
  const headers = {
    ...commonHeaders(berth),
    ...further,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${titleOf(status)}\r\n${lines.join('')}`;
}
