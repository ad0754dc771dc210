// Serialises a document to JSON in pieces, each by JSON.stringify. A small document costs only a count of its values.
import { HTTP_LIMITS } from '../config/limits/http';
import type { Task } from '../values/task';
import type { LongBody } from './body-bytes';

/** A text counts one value more per this many characters. */
const CHARACTERS_PER_NODE = 256;

/** The JSON text of a small document, otherwise a body that is written in pieces. */
export function jsonBody(document: object): string | LongBody {
  return isPart(document) ? JSON.stringify(document) : new LongJson(document);
}

class LongJson implements LongBody {
  constructor(private readonly document: object) {}

  size(): Task<number> {
    return sizeOf(this.document);
  }

  pieces(): Iterable<string> {
    return piecesOf(this.document);
  }
}

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

/** Number of values visited between two yields. */
const VALUES_PER_STEP = 2_000;
/** Approximate size of a number, a literal or a pair of brackets. */
const BYTES_PER_VALUE = 6;

/** Approximate size of the value's JSON in bytes. */
function* sizeOf(value: unknown): Task<number> {
  const open: unknown[] = [value];
  let bytes = 0;
  for (let elementsRead = 1; open.length > 0; elementsRead += 1) {
    if (elementsRead % VALUES_PER_STEP === 0) yield;
    const next = open.pop();
    bytes += typeof next === 'string' ? next.length + BYTES_PER_VALUE : BYTES_PER_VALUE;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const each of next as readonly unknown[]) open.push(each);
      continue;
    }
    for (const key in next) {
      bytes += key.length;
      open.push((next as Record<string, unknown>)[key]);
    }
  }
  return bytes;
}
