// The messages of oslo.messaging: JSON with the version of the envelope and the message, which is a JSON text.

import { randomUUID } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { Message } from 'amqplib';
import type { JsonObject } from '../../platform/values/json-object';
import { isJsonObject } from '../../platform/values/json-object';

const VERSION = 'oslo.version';
const MESSAGE = 'oslo.message';
const CONTEXT = '_context_';
/** The version of the envelope that is written; a reader accepts older minor versions. */
const WRITTEN_VERSION = '2.0';
const READ_VERSIONS = /^(1\.\d+|2\.0)$/;

/** The caller. Its token and service catalog stay in the message. */
export interface CallerContext {
  readonly requestId: string | null;
  readonly globalRequestId: string | null;
  readonly userId: string | null;
  readonly projectId: string | null;
  /** When nova's API received the user's request, by its clock; null: unknown. */
  readonly requestedAtMs: number | null;
}

export interface RpcMessage {
  readonly method: string;
  readonly namespace: string | null;
  readonly version: string;
  readonly args: JsonObject;
  readonly context: CallerContext;
  readonly uniqueId: string | null;
  /** Null: a cast, which has no reply. */
  readonly reply: ReplyAddress | null;
}

export interface ReplyAddress {
  readonly messageId: string;
  readonly queue: string;
  /** The caller gives up after this time without a reply or a heartbeat; null: it expects no heartbeats. */
  readonly heartbeatTimeoutSeconds: number | null;
  /** The caller gives up after this time; null: unknown. */
  readonly timeoutMs: number | null;
}

export interface Reply {
  readonly messageId: string;
  readonly result: unknown;
  /** A JSON text. */
  readonly failure: string | null;
  /** False: a heartbeat. */
  readonly isLast: boolean;
}

/** The message cannot be read. The text shows none of its content. */
export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError';
}

/** Reads a delivered message of at most `bodyLimitBytes`, also after decompression. */
export function readMessage({ content, properties }: Message, bodyLimitBytes: number): RpcMessage {
  if (content.length > bodyLimitBytes) {
    throw new EnvelopeError(`its body has ${content.length} bytes; at most ${bodyLimitBytes} are accepted`);
  }
  const outer = parsed(decompressed(content, properties.headers?.['compression'], bodyLimitBytes).toString('utf8'));
  if (typeof outer[VERSION] !== 'string' || !READ_VERSIONS.test(outer[VERSION])) {
    throw new EnvelopeError('its envelope has no supported version');
  }
  const { [MESSAGE]: inner } = outer;
  if (typeof inner !== 'string') throw new EnvelopeError('its envelope has no message');
  return messageOf(parsed(inner), timeoutOf(properties.expiration));
}

/** The body of a reply, with a new unique id. */
export function writeReply({ messageId, result, failure, isLast }: Reply): {
  readonly id: string;
  readonly body: Buffer;
} {
  const id = randomUUID().replaceAll('-', '');
  const message = JSON.stringify({ result, failure, ending: isLast, _msg_id: messageId, _unique_id: id });
  return { id, body: Buffer.from(JSON.stringify({ [VERSION]: WRITTEN_VERSION, [MESSAGE]: message })) };
}

function messageOf(message: JsonObject, timeoutMs: number | null): RpcMessage {
  const { method, args = {}, version, namespace } = message;
  if (typeof method !== 'string') throw new EnvelopeError('it names no method');
  if (!isJsonObject(args)) throw new EnvelopeError('its arguments are no object');
  const [messageId, queue] = [textOf(message['_msg_id']), textOf(message['_reply_q'])];
  const heartbeatTimeoutSeconds = Math.trunc(Number(message['_timeout'])) || null;
  return {
    method,
    args,
    namespace: textOf(namespace),
    version: textOf(version) ?? '1.0',
    context: {
      requestId: textOf(message[`${CONTEXT}request_id`]),
      globalRequestId: textOf(message[`${CONTEXT}global_request_id`]),
      userId: textOf(message[`${CONTEXT}user_id`]),
      projectId: textOf(message[`${CONTEXT}project_id`]),
      requestedAtMs: timeOf(message[`${CONTEXT}timestamp`]),
    },
    uniqueId: textOf(message['_unique_id']),
    reply: messageId === null || queue === null ? null : { messageId, queue, heartbeatTimeoutSeconds, timeoutMs },
  };
}

function parsed(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's message shows a part of the text.
    throw new EnvelopeError('its body is no JSON');
  }
  if (!isJsonObject(value)) throw new EnvelopeError('its body is no JSON object');
  return value;
}

/** kombu names the format of zlib by the media type of gzip. */
function decompressed(content: Buffer, compression: unknown, maxOutputLength: number): Buffer {
  if (compression === undefined || compression === null) return content;
  if (compression !== 'application/x-gzip') {
    throw new EnvelopeError('its compression is not supported; set kombu_compression to gzip or leave it out');
  }
  try {
    return inflateSync(content, { maxOutputLength });
  } catch {
    throw new EnvelopeError(`its compressed body is damaged or has more than ${maxOutputLength} bytes`);
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** UTC without a zone, such as `2026-11-22T01:27:59.232701`. */
function timeOf(value: unknown): number | null {
  const [time] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(textOf(value) ?? '') ?? [];
  const atMs = time === undefined ? NaN : Date.parse(`${time}Z`);
  return Number.isNaN(atMs) ? null : atMs;
}

const timeoutOf = (expiration: unknown): number | null =>
  typeof expiration === 'string' && /^\d{1,12}$/.test(expiration) ? Number(expiration) : null;
