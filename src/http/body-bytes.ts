// Writes bodies piece by piece into blocks, so a long body does not block the event loop and a slow client occupies one
// block instead of a body. Blocks are reused: allocating and freeing memory of that size is expensive (page faults, and
// a notice to the garbage collector for every block).
import { HTTP_LIMITS } from '../config/limits';
import type { Walk } from '../domain/walk';
import type { Charge } from './unread-answers';

/** JSON that is written while it is sent, with yields to the event loop. */
export interface LongBody {
  /** Whether all of it is ASCII, which is written faster. */
  readonly isAscii: boolean;
  /** Its exact size or a slightly larger value, if known. */
  readonly bytes?: number;
  /** The memory charge from the computation of the answer. */
  readonly charge?: Charge | undefined;
  /** Approximate size in bytes; it is charged until the client has read the whole body. */
  size(): Walk<number>;
  write(out: BodyWriter): Walk<void>;
}

export const isLongBody = (body: object): body is LongBody => 'write' in body && typeof body.write === 'function';

/** A body that is already complete. */
export class BytesBody implements LongBody {
  readonly isAscii = false;
  readonly bytes: number;

  constructor(private readonly text: Buffer) {
    this.bytes = text.length;
  }

  *size(): Walk<number> {
    yield* [];
    return this.bytes;
  }

  *write(out: BodyWriter): Walk<void> {
    for (let at = 0; at < this.text.length; at += HTTP_LIMITS.smallBodyBytes) {
      out.addBytes(this.text.subarray(at, at + HTTP_LIMITS.smallBodyBytes));
      yield;
    }
  }
}

/** The body as one buffer; undefined if it is longer than `most`. */
export function* bytesOf(body: LongBody, most: number): Walk<Buffer | undefined> {
  const out = new BodyWriter(body.isAscii);
  const blocks: Buffer[] = [];
  let length = 0;
  const take = (block: Buffer): void => {
    blocks.push(block);
    length += block.length;
  };
  const writing = body.write(out);
  while (length <= most && writing.next().done !== true) {
    for (const block of out.takeBlocks()) take(block);
    yield;
  }
  if (length <= most) {
    for (const block of out.takeBlocks()) take(block);
    take(out.end());
  }
  const bytes = length <= most ? Buffer.concat(blocks) : undefined;
  for (const block of blocks) reuseBlock(block);
  return bytes;
}

/** Free memory by size: that of a block, doubled until a whole body fits. */
const spare = new Map<number, Buffer[]>();

/** Returns a block that was sent or is not needed; its bytes can change from now on. */
export function reuseBlock(bytes: Buffer): void {
  const size = bytes.buffer.byteLength;
  const kept = spare.get(size);
  const most = size === HTTP_LIMITS.bodyBlockBytes ? HTTP_LIMITS.spareBodyBlocks : HTTP_LIMITS.spareWholeBodies;
  if (kept !== undefined && kept.length < most) kept.push(Buffer.from(bytes.buffer));
}

/** A buffer for a whole body of known size, unless it is too large; otherwise for its first block. */
function freshBlock(bytes: number): Buffer {
  let size: number = HTTP_LIMITS.bodyBlockBytes;
  if (bytes <= HTTP_LIMITS.wholeBodyBytes) while (size < bytes) size *= 2;
  let kept = spare.get(size);
  if (kept === undefined) spare.set(size, (kept = []));
  return kept.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** Characters collected before a write: a call per piece would cost more than the copy. */
const GATHERED_CHARACTERS = 8_192;
/** Pieces of at least this length are written directly. */
const LONG_PIECE_CHARACTERS = 512;
/** Maximum number of bytes per UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

/** Writes a body piece by piece. The pieces must be valid JSON, already escaped. */
export class BodyWriter {
  private gathered = '';
  private block: Buffer;
  private length = 0;
  private readonly done: Buffer[] = [];
  private readonly bytesPerCharacter: number;
  private readonly encoding: 'latin1' | 'utf8';

  constructor(isAscii = true, bytes = 0) {
    this.block = freshBlock(bytes);
    this.encoding = isAscii ? 'latin1' : 'utf8';
    this.bytesPerCharacter = isAscii ? 1 : UTF8_BYTES_MAX;
  }

  add(text: string): void {
    if (text.length >= LONG_PIECE_CHARACTERS) {
      this.flush();
      this.write(text);
      return;
    }
    this.gathered += text;
    if (this.gathered.length >= GATHERED_CHARACTERS) this.flush();
  }

  /** Adds text that is already encoded, of at most one block. */
  addBytes(bytes: Buffer): void {
    this.flush();
    if (this.length + bytes.length > this.block.length) this.nextBlock(bytes.length);
    this.length += bytes.copy(this.block, this.length);
  }

  /** Removes the last `count` characters of the last piece, for example a separator after the last list entry. */
  takeBack(count: number): void {
    this.flush();
    this.length -= count;
  }

  /** The full blocks. A block stays here until a write after it, because takeBack needs the last piece. */
  takeBlocks(): readonly Buffer[] {
    return this.done.splice(0);
  }

  /** The remaining bytes; a small body consists of these alone. No further piece can be added. */
  end(): Buffer {
    this.flush();
    return this.block.subarray(0, this.length);
  }

  private flush(): void {
    const { gathered } = this;
    this.gathered = '';
    if (gathered !== '') this.write(gathered);
  }

  private write(text: string): void {
    const room = text.length * this.bytesPerCharacter;
    if (this.length + room > this.block.length) this.nextBlock(room);
    this.length += this.block.write(text, this.length, this.encoding);
  }

  private nextBlock(room: number): void {
    if (this.length > 0) this.done.push(this.block.subarray(0, this.length));
    else reuseBlock(this.block);
    this.block = room > HTTP_LIMITS.bodyBlockBytes ? Buffer.allocUnsafeSlow(room) : freshBlock(0);
    this.length = 0;
  }
}
