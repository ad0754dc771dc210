// What a controller answers: status, body, and the few headers that depend on the data.
// `sendAnswer` turns it into bytes, so that caching headers and content types are decided in one place.
import type { FastifyReply } from 'fastify';
import { BodyBytes } from './body-bytes';

/** `now`, a time in milliseconds, or `absent`: known to be missing, so only `cache-control` is sent. */
export type LastModified = 'now' | 'absent' | number;

export interface Answer {
  readonly status: number;
  /** Undefined: no body and no content type. A string is JSON already, and so are bytes. */
  readonly body?: object | string | BodyBytes | undefined;
  /** Path of the entity, without prefix. */
  readonly location?: string | undefined;
  /** Undefined: no caching headers at all. */
  readonly lastModified?: LastModified | undefined;
  readonly retryAfterSeconds?: number;
}

interface Extras {
  readonly location?: string;
  readonly lastModified?: LastModified;
}

export const ok = (body: object | string, extras: Extras = {}): Answer => ({ status: 200, body, ...extras });
export const created = (location: string, body?: object, extras: Extras = {}): Answer => ({
  status: 201,
  location,
  body,
  ...extras,
});
export const noContent = (extras: Extras = {}): Answer => ({ status: 204, ...extras });

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number';
}

/** Writes status, JSON text, Location, and caching headers where the version has them. */
export function sendAnswer(answer: Answer, reply: FastifyReply): FastifyReply {
  const { berth } = reply.request;
  reply.code(answer.status);
  if (answer.location !== undefined) {
    reply.header('location', `${berth.origin}${berth.mountPrefix}${encodeURI(answer.location)}`);
  }
  if (answer.lastModified !== undefined && berth.api?.has('lastModified') === true) {
    reply.header('cache-control', 'no-cache');
    if (answer.lastModified !== 'absent') reply.header('last-modified', httpDate(answer.lastModified));
  }
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds));
  if (answer.body === undefined) return reply.send();
  reply.header('content-type', 'application/json');
  if (answer.body instanceof BodyBytes) return sendBytes(answer.body, reply);
  // Fastify's own serializer adds a charset to the type, which JSON has none of.
  reply.serializer(asItIs);
  return reply.send(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
}

/** The connection has no use for the bytes once the response is closed, whether all were sent or not. */
function sendBytes(body: BodyBytes, reply: FastifyReply): FastifyReply {
  reply.raw.once('close', () => body.release());
  return reply.send(body.bytes);
}

const asItIs = (text: unknown): string => text as string;

const httpDate = (time: 'now' | number): string => new Date(time === 'now' ? Date.now() : time).toUTCString();
