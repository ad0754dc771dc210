// Bodies that are written while they are sent, and their bytes in chunks of about 64 KiB: a long body does not block the
// event loop, and a slow client occupies a few chunks instead of a body.
import { HTTP_LIMITS } from '../config/limits/http';
import type { Task } from '../values/task';
import type { Charge } from './unread-answers';

/** Text that is written while it is sent. */
export interface LongBody {
  /** Its exact size, if it is known in advance; its text is ASCII then. */
  readonly bytes?: number;
  /** The memory charge from the computation of the answer. */
  readonly charge?: Charge | undefined;
  /** Approximate size in bytes; it is charged until the client has read the whole body. */
  size(): number | Task<number>;
  /** Its text in the order of sending, generated on demand. Each piece has whole characters. */
  pieces(): Iterable<string | Buffer>;
}

export const isLongBody = (body: object): body is LongBody => 'pieces' in body && typeof body.pieces === 'function';

/** A body that is already complete. It is sent in parts, because TLS encrypts each part at once. */
export class BytesBody implements LongBody {
  readonly bytes: number;

  constructor(private readonly text: Buffer) {
    this.bytes = text.length;
  }

  size(): number {
    return this.bytes;
  }

  *pieces(): Iterable<Buffer> {
    for (let at = 0; at < this.text.length; at += HTTP_LIMITS.smallBodyBytes) {
      yield this.text.subarray(at, at + HTTP_LIMITS.smallBodyBytes);
    }
  }
}

/** Pieces gathered between two pauses: one piece, the row of a host with a thousand providers, can take 1 ms. */
const PIECES_PER_STEP = 8;

/** A body in progress: gathers its pieces to chunks of about 64 KiB, on demand. */
export class BodyChunks {
  /** Characters of text and bytes of buffers that the body has produced so far. */
  produced = 0;
  private readonly chunks: Generator<string | Buffer | undefined, undefined>;

  constructor(body: LongBody) {
    this.chunks = this.gather(body.pieces());
  }

  /** The next chunk, which is not empty; undefined after the last one. */
  *next(): Task<string | Buffer | undefined> {
    for (;;) {
      const { value: chunk, done } = this.chunks.next();
      if (done === true || chunk !== undefined) return chunk;
      yield;
    }
  }

  cancel(): void {
    this.chunks.return(undefined);
  }

  /** Yields undefined to pause. */
  private *gather(pieces: Iterable<string | Buffer>): Generator<string | Buffer | undefined, undefined> {
    let text = '';
    let count = 0;
    for (const piece of pieces) {
      this.produced += piece.length;
      if (typeof piece !== 'string') {
        if (text !== '') yield text;
        text = '';
        if (piece.length > 0) yield piece;
        continue;
      }
      text += piece;
      if (text.length >= HTTP_LIMITS.bodyChunkCharacters) {
        yield text;
        text = '';
      } else if ((count += 1) % PIECES_PER_STEP === 0) yield undefined;
    }
    if (text !== '') yield text;
    return undefined;
  }
}

/** The body as one buffer; undefined if it is longer than `most`. */
export function* bytesOf(body: LongBody, most: number): Task<Buffer | undefined> {
  const chunks = new BodyChunks(body);
  const all: Buffer[] = [];
  let length = 0;
  for (let chunk = yield* chunks.next(); chunk !== undefined; chunk = yield* chunks.next()) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    all.push(bytes);
    length += bytes.length;
    if (length > most) return undefined;
    yield;
  }
  return Buffer.concat(all);
}
