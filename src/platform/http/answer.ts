// The answer of a controller: status, body, and the few headers that depend on the data. `sendAnswer` writes it, so
// caching headers and content types are decided in one place.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { LongBody } from './body-bytes';
import { isLongBody } from './body-bytes';
import { jsonBody } from './long-json';
import type { SendLog } from './send-body';
import { sendLong, sendText } from './send-body';

/** `now`, a time in milliseconds, or `absent`: the time is missing, so only `cache-control` is sent. */
export type LastModified = 'now' | 'absent' | number;

export interface Answer {
  readonly status: number;
  /**
   * Undefined: no body and no content type. A string is JSON already; an object can be of any length. A stream is sent
   * without a time limit.
   */
  readonly body?: object | string | Buffer | LongBody | Readable | undefined;
  /** For a body that is not JSON. */
  readonly contentType?: string;
  /** Path of the entity without prefix, made by `pathOf`; it is sent unchanged. */
  readonly location?: string | undefined;
  /** Undefined: no caching headers. */
  readonly lastModified?: LastModified | undefined;
  /** Further headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Extras = Partial<Pick<Answer, 'location' | 'lastModified' | 'headers'>>;

export const ok = (body: object | string, extras: Extras = {}): Answer => ({ status: 200, body, ...extras });
export const created = (location: string, body?: object | string, extras: Extras = {}): Answer => ({
  status: 201,
  location,
  body,
  ...extras,
});
export const noContent = (extras: Extras = {}): Answer => ({ status: 204, ...extras });

/** A path of these segments; `/`, `?` and `#` inside a segment are encoded. */
export const pathOf = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number';
}

/**
 * Writes status, JSON text, Location, and caching headers if the version has them. A long body is written in parts,
 * with yields to the event loop.
 */
export function sendAnswer(answer: Answer, reply: FastifyReply, log: SendLog): FastifyReply | Promise<FastifyReply> {
  const { berth } = reply.request;
  berth.auditContext?.answered(answer.status, answer.location);
  reply.code(answer.status);
  if (answer.location !== undefined) {
    reply.header('location', `${berth.origin}${berth.mountPrefix}${answer.location}`);
  }
  if (answer.lastModified !== undefined && berth.api?.has('lastModified') === true) {
    reply.header('cache-control', 'no-cache');
    if (answer.lastModified !== 'absent') {
      const time = answer.lastModified === 'now' ? Date.now() : answer.lastModified;
      reply.header('last-modified', new Date(time).toUTCString());
    }
  }
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.body === undefined) return reply.send();
  reply.header('content-type', answer.contentType ?? 'application/json');
  if (answer.body instanceof Readable) {
    // From now on the client reads the stream, and its time does not count as service time.
    berth.headSentAt = performance.now();
    if (berth.isGone) answer.body.destroy();
    return reply.send(answer.body);
  }
  if (Buffer.isBuffer(answer.body)) return sendText(answer.body, reply);
  const body = typeof answer.body === 'object' && !isLongBody(answer.body) ? jsonBody(answer.body) : answer.body;
  if (typeof body === 'object') return sendLong(body, reply, log);
  return sendText(body, reply);
}
