// What a controller answers: status, body, and the few headers that depend on the data.
// `sendAnswer` turns it into bytes, so that caching headers and content types are decided in one place.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { isLongBody } from './body-bytes';
import type { LongBody } from './body-bytes';
import { jsonBody } from './long-json';
import { sendLong } from './send-body';
import type { SendLog } from './send-body';

/** `now`, a time in milliseconds, or `absent`: known to be missing, so only `cache-control` is sent. */
export type LastModified = 'now' | 'absent' | number;

export interface Answer {
  readonly status: number;
  /**
   * Undefined: no body and no content type. A string is JSON already; any object may be long. A stream is sent as it comes,
   * for as long as it goes on.
   */
  readonly body?: object | string | LongBody | Readable | undefined;
  /** Of what is no JSON. */
  readonly contentType?: string;
  /** Path of the entity, without prefix, as `pathOf` makes it: it is sent as it is. */
  readonly location?: string | undefined;
  /** Undefined: no caching headers at all. */
  readonly lastModified?: LastModified | undefined;
  /** Further headers, by their names in lower case. */
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

/** A path of these segments, which may hold any text: `/`, `?` and `#` in one are part of it. */
export const pathOf = (...segments: readonly string[]): string =>
  segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'status' in value && typeof value.status === 'number';
}

/** Writes status, JSON text, Location, and caching headers where the version has them; what is long, in turns. */
export function sendAnswer(answer: Answer, reply: FastifyReply, log: SendLog): FastifyReply | Promise<FastifyReply> {
  const { berth } = reply.request;
  berth.trail?.answered(answer.status, answer.location);
  reply.code(answer.status);
  if (answer.location !== undefined) {
    reply.header('location', `${berth.origin}${berth.mountPrefix}${answer.location}`);
  }
  if (answer.lastModified !== undefined && berth.api?.has('lastModified') === true) {
    reply.header('cache-control', 'no-cache');
    if (answer.lastModified !== 'absent') reply.header('last-modified', httpDate(answer.lastModified));
  }
  if (answer.headers !== undefined) reply.headers(answer.headers);
  if (answer.body === undefined) return reply.send();
  reply.header('content-type', answer.contentType ?? 'application/json');
  if (answer.body instanceof Readable) {
    // From here on it is the client's to listen, and no time of the service's.
    berth.headSentAt = performance.now();
    if (berth.isGone) answer.body.destroy();
    return reply.send(answer.body);
  }
  const body = typeof answer.body === 'object' && !isLongBody(answer.body) ? jsonBody(answer.body) : answer.body;
  if (typeof body === 'object') return sendLong(body, reply, log);
  // Fastify's own serializer adds a charset to the type, which JSON has none of.
  reply.serializer(asItIs);
  return reply.send(body);
}

const asItIs = (text: unknown): string => text as string;

const SECOND_MS = 1_000;
let lastDate = { second: Number.NaN, text: '' };

/** Mostly asked for the same second as before. */
function httpDate(time: 'now' | number): string {
  const second = Math.floor((time === 'now' ? Date.now() : time) / SECOND_MS);
  if (second !== lastDate.second) lastDate = { second, text: new Date(second * SECOND_MS).toUTCString() };
  return lastDate.text;
}
