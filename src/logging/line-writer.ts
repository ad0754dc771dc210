// Writes lines to an open file asynchronously, in blocks. A slow or absent reader loses lines but never stops the
// service: failed writes are retried, and the end of the process waits for a limited time. pino's own writer is not
// used, because it retries the last lines forever on a full disk or a pipe without a reader.
import { write as writeBeside, writeSync } from 'node:fs';
import { LOG_LIMITS } from '../config/limits';

export interface LineStream {
  write(line: string): unknown;
}

/** One system call per line would cost more than many requests. */
const BLOCK_BYTES = 15 * 1024;
const COMPANY_MS = 100;
const RETRY_MS = LOG_LIMITS.lastTryMs;
const BUSY = new Set(['EAGAIN', 'EBUSY', 'EINTR']);

export class LineWriter implements LineStream {
  /** Queued blocks; all but the last are full. */
  private blocks: string[] = [];
  /** The block being written. */
  private current: Buffer = Buffer.alloc(0);
  private isWriting = false;
  /** The last write failed; the next attempt waits for the retry delay. */
  private isRefused = false;
  /** The last lines were written; afterwards the file descriptor can belong to another file. */
  private isEnded = false;
  /** Resolves the wait for the current write. */
  private whenWritten: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private blockBytes = 0;
  private waiting = 0;
  private dropped = 0;

  /** At most `waitingBytes` are queued; further lines are dropped and counted. */
  constructor(
    private readonly file: number,
    private readonly waitingBytes: number,
  ) {}

  /** False if the line was dropped. */
  write(line: string): boolean {
    const bytes = Buffer.byteLength(line);
    const isTaken = this.waiting + bytes <= this.waitingBytes;
    if (isTaken) this.append(line, bytes);
    else this.dropped += 1;
    return isTaken;
  }

  /**
   * Called before the process ends: resolves when no write is in progress, at the latest after `withinMs`; starts no
   * new one. Without this wait, a block in progress could be lost or appear after the last lines.
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
   * Writes the last lines of a process that ends; a block in progress is left to its asynchronous write. While the file
   * is busy, retries up to `tries` times every 100 ms; any other error ends the attempt. Afterwards nothing more is
   * written, unless this is called again.
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

  /** Continues a partial block at once; lines that fill no block wait for the flush delay. */
  private goOn(): void {
    const isDue = this.current.length > 0 || this.waiting >= BLOCK_BYTES;
    if (isDue && !this.isRefused) this.writeNext();
    else if (this.waiting > 0) this.later(this.isRefused ? RETRY_MS : COMPANY_MS);
  }

  /** The timer does not keep the process alive. */
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
      // False if writeLast has taken over the block.
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
