// Writes the lines of the log and of the audit log to an open file, in blocks, asynchronously. A file that takes lines too
// slowly, or not at all, never stops the service: failed writes are repeated, lines beyond a bound are refused, and the end
// of the process waits for a bounded time. The writer of pino does not do: on a full disk or a closed pipe it never ends.
import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LOG_LIMITS } from '../config/limits';

interface LineWriterSettings {
  /** Lines that wait until the file takes them; further lines are refused. */
  readonly waitingBytes: number;
  /** How long lines that fill no block wait for more. */
  readonly gatherMs: number;
  /** Called after the first of several failed attempts. */
  readonly onFailed?: (error: unknown) => void;
  readonly onRecovered?: () => void;
  /** Line that reports refused lines in the file itself, once it takes lines again. */
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
  /** Being written, from `written` on. */
  private current: Buffer = Buffer.alloc(0);
  private written = 0;
  private isWriting = false;
  /** The last write failed: the next one waits. */
  private isFailing = false;
  /** The last lines were written: from then on the descriptor can be that of another file. */
  private isEnded = false;
  /** Run when the write under way is done, before the next one. */
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

  /** Continues in another file: a line that is half written is written there as a whole. Resolves when the former is unused. */
  moveTo(file: number): Promise<void> {
    return this.whenIdle(() => {
      const lineStart = this.written === 0 ? 0 : this.current.lastIndexOf('\n', this.written - 1) + 1;
      this.advance(lineStart - this.written);
      this.file = file;
    });
  }

  /**
   * The process is about to end: waits until no block is being written any more, at most for this time, and starts none.
   * A process that exits during a write may lose that block, or write it after the last lines. False if one still is.
   */
  async finish(withinMs: number): Promise<boolean> {
    this.isEnded = true;
    clearTimeout(this.timer);
    const given = new AbortController();
    const timeout = pause(withinMs, undefined, { signal: given.signal }).catch(() => undefined);
    await Promise.race([this.whenIdle(() => given.abort()), timeout]);
    return !this.isWriting;
  }

  /** Lines that are not written. */
  get waitingLines(): number {
    const unwritten = this.current.toString('latin1', this.written) + this.blocks.join('');
    return unwritten.split('\n').length - 1;
  }

  /**
   * Writes the last lines of a process that ends. A block that is still being written is written again only if
   * `isRepeated`. A busy file is tried again this many times, 100 ms apart; any other error ends it at once. Nothing is
   * written afterwards, unless this is called again.
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

  /** A block that was begun is finished; lines that fill no block wait for more, also those that came during a write. */
  private goOn(): void {
    const isDue = this.written < this.current.length || this.waiting >= BLOCK_BYTES;
    if (isDue && !this.isFailing) this.writeNext();
    else if (this.waiting > 0) this.later(this.isFailing ? RETRY_MS : this.settings.gatherMs);
  }

  /** The timer does not keep the process running. */
  private later(ms: number): void {
    this.timer ??= setTimeout(() => this.writeNext(), ms).unref();
  }

  private writeNext(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting || !this.hasBlock()) return;
    this.isWriting = true;
    write(this.file, this.current.subarray(this.written), (error, written) => {
      // The last lines may have taken over meanwhile; they count this block as written.
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
