// Requests without a route: the router cannot read their path, or Node's parser cannot read them at all. The former
// pass the stages of every request. The latter get an error document with a request id, and an access log line.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import { auditedWriteOf } from './audited-write';
import type { EdgeSettings, LoggedRequest } from './edge';
import { admitted, commonHeaders, MALFORMED_LENGTH } from './edge';
import { renderedRefusal, sendRefusal, titleOf } from './error-document';
import { ReceivedRequest } from './received-request';

/** The router refused the path before any hook ran. */
export function refuseUnroutable(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: EdgeSettings,
): void {
  request.berth = new ReceivedRequest(request.raw, settings);
  // Accessing the route of such a request throws.
  const { berth, method, headers } = request;
  berth.auditContext = auditedWriteOf({ berth, method, headers }, settings.audit);
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

const CLIENT_ERROR_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const HEAD = 'HEAD ';

/**
 * Answers a request that Node's parser refused directly on the socket, and closes it. `request` is set if only its body
 * is unreadable; undefined if its head is. There is no authentication, because nothing of the request is used.
 */
export function refuseUnreadable(
  { code = '', rawPacket }: { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
  settings: EdgeSettings,
  request: IncomingMessage | undefined,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const isHead = rawPacket instanceof Buffer && rawPacket.toString('latin1', 0, HEAD.length) === HEAD;
  const { method = isHead ? 'HEAD' : '-', url = '-', headers = {} } = request ?? {};
  const berth = new ReceivedRequest({ url, headers, socket }, settings);
  const logged: LoggedRequest = { berth, method, originalUrl: url };
  settings.log.started(logged);
  const status = CLIENT_ERROR_STATUS[code] ?? 400;
  const detail = code === 'HPE_INVALID_CONTENT_LENGTH' ? MALFORMED_LENGTH : 'The request cannot be read.';
  const { type, text } = renderedRefusal({ status, detail }, berth, headers.accept);
  // A client that sent HEAD would read a body as the next answer. The end of a head that is too long has no method.
  const hasBody = method !== 'HEAD' && status !== 431;
  const body = hasBody ? text : '';
  const bytes = Buffer.byteLength(status === 431 ? '' : text);
  const head = { ...commonHeaders(berth), 'content-type': type, 'content-length': bytes, connection: 'close' };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  endSoon(socket, `HTTP/1.1 ${status} ${titleOf(status)}\r\n${lines.join('')}\r\n${body}`);
  settings.log.ended(logged, { status, bytes: hasBody ? bytes : 0 });
}

/** Sends the last bytes and destroys the socket after a timeout, because the client possibly never closes it. */
function endSoon(socket: Socket, last: string): void {
  socket.end(last);
  const over = setTimeout(() => socket.destroy(), HTTP_LIMITS.refusedTimeoutMs);
  socket.once('close', () => clearTimeout(over));
}
