// Bytes to JSON. Not UTF-8, not JSON, empty, too deep, or NaN and its kin: InvalidInput. Repeated keys: the last wins.
// A large body is parsed in turns.
import type { FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits';
import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import { DomainError, InvalidInput } from '../domain/errors';
import { BODY_PREFIX } from '../domain/field-fault';
import { turns } from '../turns/turns';
import type { Caller } from '../turns/turns';
import { isNestedDeeper, parseWalk, BeyondBounds } from './json-walk';

export const JSON_TYPE = 'application/json';

/** Throws where the body is said to be anything else. */
export function refuseOtherTypes({ berth }: Pick<FastifyRequest, 'berth'>): void {
  if (berth.mediaType === JSON_TYPE) return;
  const given = berth.mediaType ?? 'None';
  throw new DomainError('unsupported_media_type', `The media type ${given} is not supported, use ${JSON_TYPE}`);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBody(body: unknown): unknown {
  return finish(parsed(bytesOf(body)));
}

/** The same, in turns where the body is large. Throws CallerGone. */
export function readJsonBody(body: unknown, caller: Caller): unknown {
  const bytes = bytesOf(body);
  return bytes.length > HTTP_LIMITS.smallBodyBytes ? turns.run(parsed(bytes), caller) : finish(parsed(bytes));
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array && body.length > 0) return body;
  throw new InvalidInput('Malformed JSON: the request has no body.');
}

/** What is not ASCII takes long to decode. */
const BYTES_PER_STEP = 512 * 1_024;

function* decoded(bytes: Uint8Array): Walk<string> {
  try {
    if (bytes.length <= BYTES_PER_STEP) return UTF8.decode(bytes);
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const parts: string[] = [];
    for (let at = 0; at < bytes.length; at += BYTES_PER_STEP) {
      parts.push(decoder.decode(bytes.subarray(at, at + BYTES_PER_STEP), { stream: true }));
      yield;
    }
    parts.push(decoder.decode());
    return parts.join('');
  } catch {
    throw new InvalidInput('Malformed JSON: the body is not UTF-8.');
  }
}

/** Whoever judges a document may walk it recursively, because none is deeper than the limit. */
function* parsed(bytes: Uint8Array): Walk<unknown> {
  const text = yield* decoded(bytes);
  try {
    if (yield* isNestedDeeper(text, HTTP_LIMITS.jsonDepth)) {
      throw new InvalidInput(`Malformed JSON: nested more than ${HTTP_LIMITS.jsonDepth} levels deep`);
    }
    return yield* parseWalk(text);
  } catch (error) {
    if (error instanceof BeyondBounds) throw new InvalidInput(`${BODY_PREFIX} ${error.message}.`);
    if (!(error instanceof SyntaxError)) throw error;
    throw new InvalidInput(`Malformed JSON: ${error.message.split(/[\r\n]/)[0]}`);
  }
}
