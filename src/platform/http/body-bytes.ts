// Writes bodies piece by piece into blocks, so a long body does not block the event loop and a slow client occupies one
// block instead of a body. Blocks are reused: allocating and freeing memory of that size is expensive (page faults, and
// a notice to the garbage collector for every block).
import { HTTP_LIMITS } from '../config/limits/http';
import type { Task } from '../values/task';
import type { Charge } from './unread-answers';

/** JSON that is written while it is sent. */
export interface LongBody {
  /** Whether all of it is ASCII, which is written faster. */
  readonly isAscii: boolean;
  /** Its exact size or a slightly larger value, if known. */
  readonly bytes?: number;
  /** The memory charge from the computation of the answer. */
  readonly charge?: Charge | undefined;
  /** Approximate size in bytes; it is charged until the client has read the whole body. */
  size(): number | Task<number>;
  /** Its text in the order of sending, generated on demand. */
  pieces(): Iterable<string | Buffer>;
}

export const isLongBody = (body: object): body is LongBody => 'pieces' in body && typeof body.pieces === 'function';

/** A body that is already complete. */
export class BytesBody implements LongBody {
  readonly isAscii = false;
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

/** The body as one buffer; undefined if it is longer than `most`. */
export function* bytesOf(body: LongBody, most: number): Task<Buffer | undefined> {
  const out = new BodyWriter(body.isAscii);
  const blocks: Buffer[] = [];
  let length = 0;
  const take = (block: Buffer): void => {
    blocks.push(block);
    length += block.length;
  };
  for (const piece of body.pieces()) {
    out.add(piece);
    for (const block of out.takeBlocks()) take(block);
    if (length > most) break;
    yield;
  }
  take(out.end());
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

const NO_BLOCKS: readonly Buffer[] = [];

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

  add(piece: string | Buffer): void {
    if (typeof piece === 'string') this.addText(piece);
    else this.addBytes(piece);
  }

  private addText(text: string): void {
    if (text.length >= LONG_PIECE_CHARACTERS) {
      this.flush();
      this.write(text);
      return;
    }
    this.gathered += text;
    if (this.gathered.length >= GATHERED_CHARACTERS) this.flush();
  }

  /** Adds text that is already encoded, of at most one block. */
  private addBytes(bytes: Buffer): void {
    this.flush();
    if (this.length + bytes.length > this.block.length) this.nextBlock(bytes.length);
    this.length += bytes.copy(this.block, this.length);
  }

  /** The full blocks; each is returned once. */
  takeBlocks(): readonly Buffer[] {
    return this.done.length === 0 ? NO_BLOCKS : this.done.splice(0);
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
