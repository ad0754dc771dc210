// Bodies of a megabyte are common, and memory of that size is dear to get and dear to give back: pages are fetched one by
// one, and the collector is told of every block. So large bodies are written into blocks that are used again.
import { HTTP_LIMITS } from '../config/limits';

const spare: Buffer[] = [];

/** JSON as bytes, ready to be sent. */
export class BodyBytes {
  constructor(
    readonly bytes: Buffer,
    private block: Buffer | null,
  ) {}

  /** The bytes have been sent, or never will be; they may change from here on. */
  release(): void {
    if (this.block !== null && spare.length < HTTP_LIMITS.spareBodyBlocks) spare.push(this.block);
    this.block = null;
  }

  toString(): string {
    return this.bytes.toString('latin1');
  }
}

/** So much text is gathered before it is written: a call per piece would cost more than the copy. */
const GATHERED_CHARACTERS = 8_192;
/** What is as long as this is not worth gathering. */
const LONG_PIECE_CHARACTERS = 512;

/** Writes a body piece by piece. */
export class BodyWriter {
  private gathered = '';
  private block = spare.pop() ?? Buffer.allocUnsafeSlow(HTTP_LIMITS.bodyBlockBytes);
  private length = 0;

  /** `text` is ASCII and, where JSON wants that, escaped already. */
  add(text: string): void {
    if (text.length >= LONG_PIECE_CHARACTERS) {
      this.flush();
      this.write(text);
      return;
    }
    this.gathered += text;
    if (this.gathered.length >= GATHERED_CHARACTERS) this.flush();
  }

  /** Takes the last so many characters back, a separator behind the last of a list. */
  takeBack(count: number): void {
    this.flush();
    this.length -= count;
  }

  done(): BodyBytes {
    this.flush();
    const isKept = this.block.length <= HTTP_LIMITS.spareBodyBlockBytes;
    return new BodyBytes(this.block.subarray(0, this.length), isKept ? this.block : null);
  }

  private flush(): void {
    const { gathered } = this;
    this.gathered = '';
    if (gathered !== '') this.write(gathered);
  }

  private write(text: string): void {
    this.makeRoomFor(text.length);
    this.length += this.block.write(text, this.length, 'latin1');
  }

  private makeRoomFor(count: number): void {
    if (this.length + count <= this.block.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * Math.max(this.block.length, count));
    this.block.copy(larger, 0, 0, this.length);
    this.block = larger;
  }
}
