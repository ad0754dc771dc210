// Bytes to JSON. Not UTF-8, not JSON, empty, too deep, or NaN and its kin: InvalidInput. Repeated keys: the last wins.
// A large body is parsed in turns.
import { HTTP_LIMITS } from '../config/limits';
import { finish } from '../domain/walk';
import type { Walk } from '../domain/walk';
import { InvalidInput } from '../errors/domain-errors';
import { turns } from '../turns/turns';
import type { Caller } from '../turns/turns';
import { isNestedDeeper, parseWalk } from './json-walk';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBody(body: unknown): unknown {
  return finish(parsed(textOf(body)));
}

/** The same, in turns where the body is large. Throws CallerGone. */
export function readJsonBody(body: unknown, caller: Caller): unknown {
  const text = textOf(body);
  return text.length > HTTP_LIMITS.smallBodyBytes ? turns.run(parsed(text), caller) : finish(parsed(text));
}

function textOf(body: unknown): string {
  if (!(body instanceof Uint8Array) || body.length === 0) {
    throw new InvalidInput('Malformed JSON: the request has no body.');
  }
  try {
    return UTF8.decode(body);
  } catch {
    throw new InvalidInput('Malformed JSON: the body is not UTF-8.');
  }
}

/** Whoever judges a document may walk it recursively, because none is deeper than the limit. */
function* parsed(text: string): Walk<unknown> {
  if (yield* isNestedDeeper(text, HTTP_LIMITS.jsonDepth)) {
    throw new InvalidInput(`Malformed JSON: nested more than ${HTTP_LIMITS.jsonDepth} levels deep`);
  }
  try {
    return yield* parseWalk(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InvalidInput(`Malformed JSON: ${error.message.split(/[\r\n]/)[0]}`);
  }
}
