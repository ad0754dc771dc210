// Lines to an open file, in blocks, written beside the work. Whoever takes them too slowly, or not at all, loses lines and
// never stops the service: what cannot be written is tried again, and the end of the process waits for a bounded while.
// Our own, for the writer that pino brings tries for ever to write the last lines to a full disk or to nobody.
import { write as writeBeside, writeSync } from 'node:fs';
import { LOG_LIMITS } from '../config/limits';

export interface LineStream {
  write(line: string): unknown;
}

/** A system call per line would cost more than many a request. */
const BLOCK_BYTES = 15 * 1024;
const COMPANY_MS = 100;
const RETRY_MS = LOG_LIMITS.lastTryMs;
const BUSY = new Set(['EAGAIN', 'EBUSY', 'EINTR']);

export class LineWriter implements LineStream {
  /** Not yet being written; all but the last are as long as a block has to be. */
  private blocks: string[] = [];
  /** Being written. */
  private current: Buffer = Buffer.alloc(0);
  private isWriting = false;
  /** The file took nothing at the last try: it is asked again after a while only. */
  private isRefused = false;
  /** The last lines were written: whatever the file's number stands for from then on is somebody else's. */
  private isEnded = false;
  /** Somebody waits until what is being written is written. */
  private whenWritten: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private blockBytes = 0;
  private waiting = 0;
  private dropped = 0;

  /** At most `waitingBytes` wait until the file takes them; further lines are dropped, and counted. */
  constructor(
    private readonly file: number,
    private readonly waitingBytes: number,
  ) {}

  /** False where the line was dropped. */
  write(line: string): boolean {
    const bytes = Buffer.byteLength(line);
    const isTaken = this.waiting + bytes <= this.waitingBytes;
    if (isTaken) this.append(line, bytes);
    else this.dropped += 1;
    return isTaken;
  }

  /**
   * The process is about to end: resolves when no block is being written any more, after so long at most, and none is begun.
   * A process that ends at once may take back the block that it left to be written beside, or have it behind the last lines.
   */
  async finish(withinMs: number): Promise<void> {
    this.isEnded = true;
    clearTimeout(this.timer);
    if (!this.isWriting) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.whenWritten = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * The last lines of a process that ends; a block that is being written is left to whoever writes it. While the file is
   * busy it is asked so many times, a tenth of a second apart; any other error ends it at once. Afterwards nothing is
   * written any more, unless this is called again.
   */
  writeLast(tries: number): void {
    this.isEnded = true;
    clearTimeout(this.timer);
    if (this.isWriting) {
      this.isWriting = false;
      this.advance(this.current.length);
    }
    for (let left = tries; this.hasBlock();) {
      try {
        this.advance(writeSync(this.file, this.current));
        if (this.waiting === 0) this.tellDropped();
      } catch (error) {
        if (!isBusy(error) || (left -= 1) < 0) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  private append(line: string, bytes: number): void {
    this.waiting += bytes;
    if (this.blocks.length === 0 || this.blockBytes >= BLOCK_BYTES) {
      this.blocks.push(line);
      this.blockBytes = bytes;
    } else {
      this.blocks[this.blocks.length - 1] += line;
      this.blockBytes += bytes;
    }
    if (!this.isWriting && !this.isEnded) this.goOn();
  }

  /** What was begun is finished; lines that are no block wait for company, those that came during a write too. */
  private goOn(): void {
    const isDue = this.current.length > 0 || this.waiting >= BLOCK_BYTES;
    if (isDue && !this.isRefused) this.writeNext();
    else if (this.waiting > 0) this.later(this.isRefused ? RETRY_MS : COMPANY_MS);
  }

  /** A timer holds no process that has nothing else to do. */
  private later(ms: number): void {
    this.timer ??= setTimeout(() => this.writeNext(), ms).unref();
  }

  private writeNext(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting || !this.hasBlock()) return;
    this.isWriting = true;
    const { current } = this;
    writeBeside(this.file, current, (error, written) => {
      this.isWriting = false;
      this.isRefused = error !== null;
      // Not left to this by the last lines.
      if (error === null && this.current === current) this.advance(written);
      this.whenWritten?.();
      if (this.isEnded) return;
      if (this.waiting === 0) this.tellDropped();
      this.goOn();
    });
  }

  private hasBlock(): boolean {
    if (this.current.length === 0) this.current = Buffer.from(this.blocks.shift() ?? '');
    return this.current.length > 0;
  }

  private advance(written: number): void {
    this.current = this.current.subarray(written);
    this.waiting -= written;
  }

  private tellDropped(): void {
    if (this.dropped === 0) return;
    const notice = { level: 'warn', pid: process.pid, lines: this.dropped, message: 'log lines were dropped' };
    this.dropped = 0;
    this.write(`${JSON.stringify(notice)}\n`);
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && BUSY.has(String(error.code));
