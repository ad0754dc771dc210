// Bodies are written piece by piece into blocks, so that nobody waits for a long one and a client that does not read
// holds a block instead of a body. Memory of that size is dear to get and dear to give back (pages are fetched one by
// one, and the collector is told of every block), so what one answer is done with the next one uses again.
import { HTTP_LIMITS } from '../config/limits';
import type { Walk } from '../domain/walk';
import type { Charge } from './unread-answers';

/** JSON that is written when it is sent. */
export interface LongBody {
  /** Whether all of it is ASCII, which is written faster. */
  readonly isAscii: boolean;
  /** Its size, where that is known, or a little more. */
  readonly bytes?: number;
  /** What it was charged while it was worked out. */
  readonly charge?: Charge | undefined;
  /** About how many bytes it has; it is charged by them until the client has taken it all. */
  size(): number | Walk<number>;
  /** Its text, in the order in which it is sent. Nothing is written before it is asked for. */
  pieces(): Iterable<string | Buffer>;
}

export const isLongBody = (body: object): body is LongBody => 'pieces' in body && typeof body.pieces === 'function';

/** A body that is there already, as it is to be sent. */
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

/** A body as one piece of memory; undefined if it is longer than that. */
export function* bytesOf(body: LongBody, most: number): Walk<Buffer | undefined> {
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

/** Memory that was used, by its size: that of a block, doubled until a whole body fits. */
const spare = new Map<number, Buffer[]>();

/** Gives a block back that was sent, or never will be; its bytes may change from here on. */
export function reuseBlock(bytes: Buffer): void {
  const size = bytes.buffer.byteLength;
  const kept = spare.get(size);
  const most = size === HTTP_LIMITS.bodyBlockBytes ? HTTP_LIMITS.spareBodyBlocks : HTTP_LIMITS.spareWholeBodies;
  if (kept !== undefined && kept.length < most) kept.push(Buffer.from(bytes.buffer));
}

/** Room for a body of known size, all of it where that is not too large; else for its first block. */
function freshBlock(bytes: number): Buffer {
  let size: number = HTTP_LIMITS.bodyBlockBytes;
  if (bytes <= HTTP_LIMITS.wholeBodyBytes) while (size < bytes) size *= 2;
  let kept = spare.get(size);
  if (kept === undefined) spare.set(size, (kept = []));
  return kept.pop() ?? Buffer.allocUnsafeSlow(size);
}

/** So much text is gathered before it is written: a call per piece would cost more than the copy. */
const GATHERED_CHARACTERS = 8_192;
/** What is as long as this is not worth gathering. */
const LONG_PIECE_CHARACTERS = 512;
/** Most bytes that a UTF-16 unit becomes. */
const UTF8_BYTES_MAX = 3;

const NO_BLOCKS: readonly Buffer[] = [];

/** Writes a body piece by piece. Pieces are JSON already: escaped where it wants that. */
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

  /** Text that is bytes already, no more of them than a block has. */
  private addBytes(bytes: Buffer): void {
    this.flush();
    if (this.length + bytes.length > this.block.length) this.nextBlock(bytes.length);
    this.length += bytes.copy(this.block, this.length);
  }

  /** The blocks that are full, once. */
  takeBlocks(): readonly Buffer[] {
    return this.done.length === 0 ? NO_BLOCKS : this.done.splice(0);
  }

  /** The rest, which is all of a small body. Nothing may be added behind it. */
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
