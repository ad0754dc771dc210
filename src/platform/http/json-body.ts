// Parses JSON bodies. Throws InvalidInput for text that is not UTF-8 or not JSON, empty bodies, too much depth, too
// many keys, or NaN and Infinity. The last of repeated keys wins.
import { randomInt } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits/http';
import type { Caller } from '../event-loop/caller';
import { tasks } from '../event-loop/task-scheduler';
import { DomainError, InvalidInput } from '../values/errors';
import { BODY_PREFIX } from '../values/field-fault';

export const JSON_TYPE = 'application/json';

/** Throws if the body has another declared media type. */
export function refuseOtherTypes({ berth }: Pick<FastifyRequest, 'berth'>): void {
  if (berth.mediaType === JSON_TYPE) return;
  const given = berth.mediaType ?? 'None';
  throw new DomainError('unsupported_media_type', `The media type ${given} is not supported, use ${JSON_TYPE}`);
}

type BodyRequest = Pick<FastifyRequest, 'body' | 'berth'> & {
  readonly routeOptions: Pick<FastifyRequest['routeOptions'], 'bodyLimit'>;
};

/** Applies `judge` to the JSON body. Yields to the event loop before and after a large body. */
export function judgedBody<T>({ body, berth, routeOptions }: BodyRequest, judge: (body: unknown) => T): T | Promise<T> {
  const parsed = parseJsonBody(body, routeOptions.bodyLimit);
  return (body as Uint8Array).length <= HTTP_LIMITS.smallBodyBytes
    ? judge(parsed)
    : inTurns(() => judge(parsed), berth);
}

/**
 * Waits two turns of the event loop before `judge` and one after. Bodies arrive in the poll phase: the first turn comes
 * in the same iteration of the loop, the second after the next poll. Throws CallerGone.
 */
async function inTurns<T>(judge: () => T, caller: Caller): Promise<T> {
  await tasks.yieldToEventLoop(caller);
  await tasks.yieldToEventLoop(caller);
  const judged = await judge();
  await tasks.yieldToEventLoop(caller);
  return judged;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `bytesMax` is the limit of the route. Functions that judge the document can recurse: its depth is bounded. */
export function parseJsonBody(body: unknown, bytesMax: number = HTTP_LIMITS.bodyBytes): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) {
    throw new InvalidInput('Malformed JSON: the request has no body.');
  }
  refuseCostlyJson(body, bytesMax);
  try {
    return JSON.parse(UTF8.decode(body)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw new InvalidInput('Malformed JSON: the body is not UTF-8.');
    throw new InvalidInput(`Malformed JSON: ${error.message.split(/[\r\n]/)[0]}`);
  }
}

const QUOTE = 34;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** The bits of a hash that tell keys apart. Different keys with equal bits count once, so the count is a lower bound. */
const HASH_BITS = 0x3ffff;
/** Odd and random per process, so a client cannot choose keys with equal hashes. */
const MULTIPLIER = randomInt(0x10000000) * 2 + 1;
const isKnownKey = new Uint8Array(HASH_BITS + 1);

/**
 * The time of JSON.parse depends on different keys (1 µs, and 2 µs if each is in an object of its own), objects and
 * lists more than on bytes: 2 MiB of short keys take 150 ms, 2 MiB of allocations 20 ms. Counting takes 7 ms.
 */
function refuseCostlyJson(bytes: Uint8Array, bytesMax: number): void {
  const newKeysMax = Math.max(HTTP_LIMITS.jsonKeys, Math.floor(bytesMax / HTTP_LIMITS.bodyBytesPerNewKey));
  const containersMax = Math.floor(bytesMax / HTTP_LIMITS.bodyBytesPerContainer);
  const keysAt = new Int32Array(HTTP_LIMITS.jsonDepth + 1);
  // A smaller body has fewer keys than the limit.
  const isLarge = bytes.length > HTTP_LIMITS.smallBodyBytes;
  if (isLarge) isKnownKey.fill(0);
  let [depth, newKeys, keysOfOne, containers, hash] = [0, 0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (code === QUOTE) {
      hash = 0;
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
        if (bytes[at] === BACKSLASH) at += 1;
        hash = (Math.imul(hash, MULTIPLIER) + (bytes[at] ?? 0)) | 0;
      }
    } else if (code === COLON) {
      const place = (hash ^ (hash >>> 14)) & HASH_BITS;
      if (isLarge && isKnownKey[place] === 0) newKeys += isKnownKey[place] = 1;
      keysOfOne = Math.max(keysOfOne, (keysAt[depth] = (keysAt[depth] ?? 0) + 1));
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth += 1;
      containers += 1;
      if (depth > HTTP_LIMITS.jsonDepth) {
        throw new InvalidInput(`Malformed JSON: nested more than ${HTTP_LIMITS.jsonDepth} levels deep`);
      }
      keysAt[depth] = 0;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) depth -= 1;
  }
  if (keysOfOne > HTTP_LIMITS.jsonKeys) {
    throw new InvalidInput(`${BODY_PREFIX} an object has more than ${HTTP_LIMITS.jsonKeys} keys.`);
  }
  if (newKeys > newKeysMax) {
    throw new InvalidInput(`${BODY_PREFIX} the body has more than ${newKeysMax} different keys.`);
  }
  if (containers > containersMax) {
    throw new InvalidInput(`${BODY_PREFIX} the body has more than ${containersMax} objects and lists.`);
  }
}
