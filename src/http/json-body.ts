// Bytes to JSON. Not UTF-8, not JSON, empty, too deep, or NaN and its kin: InvalidInput. Repeated keys: the last wins.
import { HTTP_LIMITS } from '../config/limits';
import { InvalidInput } from '../errors/domain-errors';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function parseJsonBody(body: unknown): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) {
    throw new InvalidInput('Malformed JSON: the request has no body.');
  }
  let text: string;
  try {
    text = UTF8.decode(body);
  } catch {
    throw new InvalidInput('Malformed JSON: the body is not UTF-8.');
  }
  const value = parsed(text);
  if (isDeeperThan(HTTP_LIMITS.jsonDepth, value)) throw tooDeep();
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw tooDeep();
    throw new InvalidInput(`Malformed JSON: ${error.message.split(/[\r\n]/)[0]}`);
  }
}

function tooDeep(): InvalidInput {
  return new InvalidInput(`Malformed JSON: nested more than ${HTTP_LIMITS.jsonDepth} levels deep`);
}

/** Whoever judges a document may walk it recursively, because none is deeper than this. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(levels - 1, inner)) return true;
  return false;
}
