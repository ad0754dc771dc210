// Serialises a document to JSON in pieces, each by JSON.stringify. A small document costs only a count of its values.
import { HTTP_LIMITS } from '../config/limits/http';
import type { LongBody } from './body-bytes';

/** A text counts one value more per this many characters. */
const CHARACTERS_PER_NODE = 256;

/** The JSON text of a small document, otherwise a body that is written in pieces. */
export function jsonBody(document: object): string | LongBody {
  return isPart(document) ? JSON.stringify(document) : new LongJson(document);
}

class LongJson implements LongBody {
  constructor(private readonly document: object) {}

  pieces(): Iterable<string> {
    return piecesOf(this.document);
  }
}

/**
 * A document with one long list, whose items are made while they are sent. `last`: the members after the list, which are
 * read after the items.
 */
export const bodyWithList = <T>(
  first: object,
  list: string,
  items: readonly T[],
  presentItem: (item: T, at: number) => string,
  last: () => object,
): LongBody => ({
  *pieces() {
    yield `${JSON.stringify(first).slice(0, -1)},"${list}":[`;
    for (const [at, item] of items.entries()) yield `${at === 0 ? '' : ','}${presentItem(item, at)}`;
    yield `],${JSON.stringify(last()).slice(1)}`;
  },
});

/** Whether a value is small enough to be serialised or validated at once. */
function isPart(value: unknown): boolean {
  return weighed(value, HTTP_LIMITS.jsonPartNodes) >= 0;
}

/** The rest of `most` after counting every value; negative if the value has more. */
function weighed(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value === 'string') return left - Math.floor(value.length / CHARACTERS_PER_NODE);
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    if (value.length > left) return -1;
    for (const each of value as readonly unknown[]) if ((left = weighed(each, left)) < 0) return -1;
    return left;
  }
  for (const key in value) if ((left = weighed((value as Record<string, unknown>)[key], left)) < 0) return -1;
  return left;
}

/** The output of JSON.stringify in pieces. */
function* piecesOf(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || hasOwnForm(value) || isPart(value)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let opening = isList ? '[' : '{';
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (member === undefined && !isList) continue;
    yield isList ? opening : `${opening}${JSON.stringify(key)}:`;
    yield* piecesOf(member ?? null);
    opening = ',';
  }
  yield isList ? ']' : '}';
}

const hasOwnForm = (value: object): boolean => 'toJSON' in value;
