// Writes the lines of the log and of the audit log to an open file, asynchronously and in blocks. A slow or blocked
// file never stops the service: failed writes are retried, lines beyond a limit are refused, and the end of the process
// waits for a limited time. pino's own writer is not used, because it never ends on a full disk or a closed pipe.
import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LOG_LIMITS } from '../config/limits/processes';

interface LineWriterSettings {
  /** Maximum bytes of queued lines; further lines are refused. */
  readonly waitingBytes: number;
  /** How long a partial block waits for more lines. */
  readonly gatherMs: number;
  /** Called after the first of several failed attempts. */
  readonly onFailed?: (error: unknown) => void;
  readonly onRecovered?: () => void;
  /** Line that reports refused lines in the file itself, once writes succeed again. */
  readonly refusedNotice?: (lines: number) => string;
}

export interface LineStream {
  write(line: string): unknown;
}

/** One system call per line would cost more than many requests. */
const BLOCK_BYTES = 15 * 1024;
const RETRY_MS = LOG_LIMITS.lastTryMs;
const BUSY = new Set(['EAGAIN', 'EBUSY', 'EINTR']);

export class LineWriter implements LineStream {
  /** Queued blocks; all but the last are full. */
  private blocks: string[] = [];
  /** The block being written, from `written` on. */
  private current: Buffer = Buffer.alloc(0);
  private written = 0;
  private isWriting = false;
  /** The last write failed; the next attempt waits for the retry delay. */
  private isFailing = false;
  /** The last lines were written; afterwards the file descriptor can belong to another file. */
  private isEnded = false;
  /** Callbacks after the current write, before the next one. */
  private afterWrite: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private blockBytes = 0;
  private waiting = 0;
  private refused = 0;

  constructor(
    private file: number,
    private readonly settings: LineWriterSettings,
  ) {}

  /** False if the line was refused. */
  write(line: string): boolean {
    const bytes = Buffer.byteLength(line);
    const isTaken = this.waiting + bytes <= this.settings.waitingBytes;
    if (isTaken) this.append(line, bytes);
    else this.refused += 1;
    return isTaken;
  }

  /**
   * Continues in another file; a partly written line is written there as a whole. Resolves when the old file is unused.
   */
  moveTo(file: number): Promise<void> {
    return this.whenIdle(() => {
      const lineStart = this.written === 0 ? 0 : this.current.lastIndexOf('\n', this.written - 1) + 1;
      this.advance(lineStart - this.written);
      this.file = file;
    });
  }

  /**
   * Called before the process ends: waits until no write is in progress, at most `withinMs`, and starts no new one.
   * Without this wait, a block in progress could be lost or appear after the last lines. Returns false if a write is
   * still in progress.
   */
  async finish(withinMs: number): Promise<boolean> {
    this.isEnded = true;
    clearTimeout(this.timer);
    const given = new AbortController();
    const timeout = pause(withinMs, undefined, { signal: given.signal }).catch(() => undefined);
    await Promise.race([this.whenIdle(() => given.abort()), timeout]);
    return !this.isWriting;
  }

  /** Number of lines that are not written yet. */
  get waitingLines(): number {
    const unwritten = this.current.toString('latin1', this.written) + this.blocks.join('');
    return unwritten.split('\n').length - 1;
  }

  /**
   * Writes the last lines of a process that ends. A block in progress is written again only if `isRepeated`. While the
   * file is busy, retries up to `tries` times every 100 ms; any other error ends the attempt. Afterwards nothing more
   * is written, unless this is called again.
   */
  writeLast(tries: number, isRepeated = false): void {
    this.isEnded = true;
    clearTimeout(this.timer);
    if (this.isWriting && !isRepeated) this.advance(this.current.length - this.written);
    this.isWriting = false;
    for (let left = tries; this.hasBlock();) {
      try {
        this.advance(writeSync(this.file, this.current, this.written));
        if (this.waiting === 0) this.reportRefused();
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

  /** Continues a partly written block at once; lines that fill no block wait for the gather delay. */
  private goOn(): void {
    const isDue = this.written < this.current.length || this.waiting >= BLOCK_BYTES;
    if (isDue && !this.isFailing) this.writeNext();
    else if (this.waiting > 0) this.later(this.isFailing ? RETRY_MS : this.settings.gatherMs);
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
    write(this.file, this.current.subarray(this.written), (error, written) => {
      // If writeLast has taken over meanwhile, it has counted this block as written.
      if (this.isWriting && error === null) this.advance(written);
      this.isWriting = false;
      this.setFailing(error);
      this.afterWrite.splice(0).forEach((act) => act());
      if (this.isEnded) return;
      if (this.waiting === 0) this.reportRefused();
      this.goOn();
    });
  }

  private setFailing(error: unknown): void {
    const wasFailing = this.isFailing;
    this.isFailing = error !== null;
    if (this.isFailing && !wasFailing) this.settings.onFailed?.(error);
    if (!this.isFailing && wasFailing) this.settings.onRecovered?.();
  }

  private whenIdle(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      this.afterWrite.push(act, resolve);
      if (!this.isWriting) this.afterWrite.splice(0).forEach((each) => each());
    });
  }

  private hasBlock(): boolean {
    if (this.written === this.current.length) {
      this.current = Buffer.from(this.blocks.shift() ?? '');
      this.written = 0;
    }
    return this.current.length > 0;
  }

  private advance(bytes: number): void {
    this.written += bytes;
    this.waiting -= bytes;
  }

  private reportRefused(): void {
    const { refusedNotice } = this.settings;
    if (this.refused === 0 || refusedNotice === undefined) return;
    const notice = refusedNotice(this.refused);
    this.refused = 0;
    this.write(notice);
  }
}

const isBusy = (error: unknown): boolean => error instanceof Error && 'code' in error && BUSY.has(String(error.code));
