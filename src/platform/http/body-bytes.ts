// Bodies that are written while they are sent, in chunks of about 64 KiB: a long body does not block the event loop, and
// a slow client occupies a few chunks instead of a body.
import { HTTP_LIMITS } from '../config/limits/http';
import type { Task } from '../values/task';

/** Text that is written while it is sent. */
export interface LongBody {
  /** Its text in the order of sending, generated on demand. Each piece has whole characters. */
  pieces(): Iterable<string>;
}

export const isLongBody = (body: object): body is LongBody => 'pieces' in body && typeof body.pieces === 'function';

/** Pieces gathered between two pauses: one piece, the row of a host with a thousand providers, can take 1 ms. */
const PIECES_PER_STEP = 8;

/** The chunks of a body, none of them empty; yields undefined to pause. Returns the characters of all pieces. */
export function* chunksOf(body: LongBody): Generator<string | undefined, number> {
  let text = '';
  let count = 0;
  let characters = 0;
  for (const piece of body.pieces()) {
    text += piece;
    characters += piece.length;
    if (text.length >= HTTP_LIMITS.bodyChunkCharacters) {
      yield text;
      text = '';
    } else if ((count += 1) % PIECES_PER_STEP === 0) yield undefined;
  }
  if (text !== '') yield text;
  return characters;
}

/** The next chunk; after the last one, the characters of the body. */
export function* nextChunk(chunks: ReturnType<typeof chunksOf>): Task<string | number> {
  for (;;) {
    const { value } = chunks.next();
    if (value !== undefined) return value;
    yield;
  }
}

/** The body as one buffer; undefined if it is longer than `most`. */
export function* bytesOf(body: LongBody, most: number): Task<Buffer | undefined> {
  const all: Buffer[] = [];
  let length = 0;
  for (const chunk of chunksOf(body)) {
    if (chunk !== undefined) length += all[all.push(Buffer.from(chunk)) - 1]?.length ?? 0;
    if (length > most) return undefined;
    yield;
  }
  return Buffer.concat(all);
}
