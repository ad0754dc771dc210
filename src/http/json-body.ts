// Bytes to JSON. Not UTF-8, not JSON, empty, or NaN and its kin: InvalidInput. Repeated keys: the last wins.
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
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.split(/[\r\n]/)[0] : 'nested too deeply';
    throw new InvalidInput(`Malformed JSON: ${reason}`);
  }
}
