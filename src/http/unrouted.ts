// Requests that never reach a route: the router cannot read their path, or the parser cannot read them at all. They go
// through the same stages as all others, as far as they can be read: request id, authentication, version, refusal, log.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits';
import { negotiate } from '../microversion/api-version';
import { lengthProblem } from './content-length';
import { admitted, authentication, commonHeaders, unauthenticated, undecided } from './edge';
import type { EdgeSettings, LoggedRequest } from './edge';
import { ReceivedRequest } from './received-request';
import { renderedRefusal, sendRefusal, titleOf } from './error-document';
import type { Refusal } from './error-document';
import type { RequestContext } from './request-context';
import { writeTrailOf } from './write-trail';

/** The router itself refused the path, before any hook. */
export function refuseUnroutable(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: EdgeSettings,
): void {
  request.berth = new ReceivedRequest(request.raw, settings);
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

/** What Node says of a request that it could not read, with the bytes it read last and how many of them it understood. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
  readonly bytesParsed?: number;
}

const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * What is no request to Node never becomes one: it is answered on the bare socket, which is closed behind it. `request`
 * is the one whose body it is, where the head was read.
 */
export function refuseUnreadable(
  error: ClientError,
  socket: Socket,
  settings: EdgeSettings,
  request: IncomingMessage | undefined,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = request === undefined ? readHead(error, socket) : headOf(request);
  const berth = new ReceivedRequest({ url: head.url, headers: head.headers, socket }, settings);
  const logged: LoggedRequest = { berth, method: head.method, originalUrl: head.url };
  berth.trail = writeTrailOf({ ...logged, headers: head.headers }, settings.audit);
  settings.log.started(logged);
  const answer = (refused: Refusal): void => {
    const { status } = refused;
    const body = renderedRefusal(refused, berth, head.headers['accept']);
    // A client that asks for the head alone would take a body for the next answer.
    const sent = head.asksFor === 'body' ? body.text : '';
    const told = head.asksFor === 'unknown' ? undefined : body;
    if (socket.writable) endSoon(socket, `${headText(refused, told, berth)}\r\n${sent}`);
    settings.log.ended(logged, { status, bytes: Buffer.byteLength(sent) });
    berth.trail?.answered(status);
  };
  const status = CLIENT_ERROR_STATUS[error.code ?? ''] ?? 400;
  const refusal = (): void => {
    answer({ status, detail: sentenceOf(head) });
  };
  // Of what is not even a head nothing is known that could be judged.
  if (!head.isReadable) return refusal();
  const judge = (caller: Awaited<ReturnType<typeof authentication>>): void => {
    if (!caller.authenticated) {
      answer('retryAfterSeconds' in caller ? undecided(caller) : unauthenticated(caller, berth));
      return;
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
  /** Of the answer. */
  readonly asksFor: 'body' | 'head' | 'unknown';
}

const END_OF_HEAD = '\r\n\r\n';
const REQUEST_LINE = /^([A-Z]{1,20}) (\S+) HTTP\/1\.[01]$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Request line and headers of what Node gave up on, as far as they are there. A long head comes in several packets and
 * Node tells the last of them alone, so it may be that nobody knows what was asked.
 */
function readHead({ rawPacket, bytesParsed = 0 }: ClientError, socket: Socket): Head {
  const packet = rawPacket instanceof Buffer ? rawPacket : Buffer.alloc(0);
  const text = packet.toString('latin1', 0, HTTP_LIMITS.headerBytes);
  // Before it in the packet there may be requests that were read well.
  const before = text.lastIndexOf(END_OF_HEAD, bytesParsed - END_OF_HEAD.length - 1);
  const own = before < 0 ? text : text.slice(before + END_OF_HEAD.length);
  const [first = '', ...lines] = (own.split(END_OF_HEAD, 1)[0] ?? '').split('\r\n');
  const found = REQUEST_LINE.exec(first);
  if (found === null) {
    const isBeginning = before < 0 && packet.length > 0 && socket.bytesRead === packet.length;
    const asksFor = !isBeginning ? 'unknown' : own.trimStart().startsWith('HEAD') ? 'head' : 'body';
    return { method: '-', url: '-', headers: {}, isReadable: false, asksFor };
  }
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers[name.toLowerCase()] ??= value;
  }
  const [, method = '-', url = '-'] = found;
  return { method, url, headers, isReadable: true, asksFor: askedBy(method) };
}

const askedBy = (method: string): Head['asksFor'] => (method === 'HEAD' ? 'head' : 'body');

function headOf(request: IncomingMessage & { readonly originalUrl?: string }): Head {
  const { method = '-', url = '-', originalUrl = url } = request;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers[name] = value;
  return { method, url: originalUrl, headers, isReadable: true, asksFor: askedBy(method) };
}

function sentenceOf({ headers }: Head): string {
  return lengthProblem(headers['content-length']) ?? 'The request cannot be read.';
}

function headText(
  { status, headers: own }: Refusal,
  body: { readonly type: string; readonly text: string } | undefined,
  berth: RequestContext,
): string {
  const headers = {
    ...commonHeaders(berth),
    ...own,
    ...(body !== undefined && { 'content-type': body.type }),
    'content-length': String(Buffer.byteLength(body?.text ?? '')),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${titleOf(status)}\r\n${lines.join('')}`;
}
