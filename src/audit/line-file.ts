// Lines to a file, without anybody waiting for it. What the file does not take stays in memory, up to a bound, and is
// tried again; nothing is dropped in silence. The stream that the log uses would do, but one that meets a full disk as the
// process ends never lets it end.
import { writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { AUDIT_LIMITS } from '../config/limits';

interface LineFileBounds {
  readonly waitingBytes: number;
  readonly blockBytes: number;
  readonly retryMs: number;
  readonly closeMs: number;
}

interface LineFileSettings {
  /** Absolute. */
  readonly path: string;
  /** An attempt to write or to open failed; it is made again. */
  readonly failed: (error: unknown) => void;
  /** And now it worked. */
  readonly recovered: () => void;
  /** Default: those of the audit log. */
  readonly bounds?: LineFileBounds;
}

/** Whoever collects logs reads it as the group. */
const MODE = 0o640;
const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);

export class LineFile {
  private readonly waiting: string[] = [];
  /** Of everything that is not written yet. */
  private waitingBytes = 0;
  private block: Buffer = EMPTY;
  private written = 0;
  private work: Promise<void> | undefined;
  private isReopenWanted = false;
  private isFailing = false;
  private isClosed = false;
  private readonly bounds: LineFileBounds;

  private constructor(
    private handle: FileHandle,
    private readonly settings: LineFileSettings,
  ) {
    this.bounds = settings.bounds ?? AUDIT_LIMITS;
    process.once('exit', this.writeLastLines);
  }

  /** Throws what the file system says of a file that cannot be appended to. */
  static async open(settings: LineFileSettings): Promise<LineFile> {
    return new LineFile(await open(settings.path, 'a', MODE), settings);
  }

  /** With its newline. False: there is no room, the line is lost. */
  write(line: string): boolean {
    const bytes = Buffer.byteLength(line);
    if (this.isClosed || this.waitingBytes + bytes > this.bounds.waitingBytes) return false;
    this.waiting.push(line);
    this.waitingBytes += bytes;
    this.work ??= this.writeAll();
    return true;
  }

  /**
   * The file of this name, which may be another one by now; a line that is half written is begun again there. Where it
   * cannot be opened, the former one is kept.
   */
  reopen(): void {
    this.isReopenWanted = true;
    this.work ??= this.writeAll();
  }

  /** Answers how many lines could not be written in time. */
  async close(): Promise<number> {
    const given = new AbortController();
    await Promise.race([
      this.work,
      pause(this.bounds.closeMs, undefined, { signal: given.signal }).catch(() => undefined),
    ]);
    given.abort();
    this.isClosed = true;
    process.off('exit', this.writeLastLines);
    await this.handle.close().catch(this.settings.failed);
    return this.waiting.length + linesIn(this.block.subarray(this.written));
  }

  private async writeAll(): Promise<void> {
    // What comes in the same round of the event loop goes out together.
    await setImmediate();
    while (!this.isClosed && (this.isReopenWanted || this.waitingBytes > 0)) {
      try {
        if (this.isReopenWanted) await this.openAgain();
        else await this.writeBlock();
        if (this.isFailing) this.settings.recovered();
        this.isFailing = false;
      } catch (error) {
        if (!this.isFailing) this.settings.failed(error);
        this.isFailing = true;
        await pause(this.bounds.retryMs, undefined, { ref: false });
      }
    }
    this.work = undefined;
  }

  private async openAgain(): Promise<void> {
    this.isReopenWanted = false;
    const former = this.handle;
    this.handle = await open(this.settings.path, 'a', MODE);
    const begun = this.written === 0 ? 0 : this.block.lastIndexOf(NEWLINE, this.written - 1) + 1;
    this.waitingBytes += this.written - begun;
    this.written = begun;
    await former.close();
  }

  private async writeBlock(): Promise<void> {
    if (this.written === this.block.length) this.nextBlock();
    const { bytesWritten } = await this.handle.write(this.block, this.written);
    this.written += bytesWritten;
    this.waitingBytes -= bytesWritten;
  }

  private nextBlock(): void {
    let count = 0;
    for (let bytes = 0; count < this.waiting.length && bytes < this.bounds.blockBytes; count += 1) {
      bytes += this.waiting[count]?.length ?? 0;
    }
    this.block = Buffer.from(this.waiting.splice(0, count).join(''));
    this.written = 0;
  }

  /** Of a process that does not end in order. What was under way may be written twice. */
  private readonly writeLastLines = (): void => {
    try {
      const last = Buffer.concat([this.block.subarray(this.written), Buffer.from(this.waiting.join(''))]);
      if (last.length > 0) writeSync(this.handle.fd, last);
    } catch {
      // Nobody is left to be told, and nothing to be tried.
    }
  };
}

const linesIn = (bytes: Buffer): number => bytes.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0);
