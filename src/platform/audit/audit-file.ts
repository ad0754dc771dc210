// The audit log file: append-only, reopened by its name on SIGHUP.
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { AUDIT_LIMITS } from '../config/limits/processes';
import { LineWriter } from '../logging/line-writer';

/** How long a stopping process waits for the current write. */
const CLOSE_MS = 5_000;

interface AuditFileSettings {
  /** An absolute path. */
  readonly path: string;
  readonly onFailed: (error: unknown) => void;
  readonly onRecovered: () => void;
}

/** Log collectors read the file through its group. */
const MODE = 0o640;

export class AuditFile {
  private readonly lines: LineWriter;
  private work: Promise<void> = Promise.resolve();
  private isClosed = false;

  private constructor(
    private handle: FileHandle,
    private readonly settings: AuditFileSettings,
  ) {
    this.lines = new LineWriter(handle.fd, { ...settings, waitingBytes: AUDIT_LIMITS.waitingBytes, gatherMs: 0 });
    process.once('exit', this.writeLast);
  }

  /** Throws the file system's error if the file cannot be appended to. */
  static async open(settings: AuditFileSettings): Promise<AuditFile> {
    return new AuditFile(await open(settings.path, 'a', MODE), settings);
  }

  /** Returns false if the line is lost. */
  write(line: string): boolean {
    return !this.isClosed && this.lines.write(line);
  }

  /** After a rotation the name refers to another file. If it cannot be opened, the old one stays in use. */
  reopen(): void {
    this.work = this.work.then(() => this.openAgain()).catch(this.settings.onFailed);
  }

  /** Resolves with the number of lines that were not written. */
  async close(): Promise<number> {
    this.isClosed = true;
    process.off('exit', this.writeLast);
    const isIdle = await this.lines.finish(CLOSE_MS);
    if (isIdle) this.lines.writeLast(0);
    const lost = this.lines.waitingLines;
    await this.handle.close().catch(this.settings.onFailed);
    return lost;
  }

  private async openAgain(): Promise<void> {
    const former = this.handle;
    this.handle = await open(this.settings.path, 'a', MODE);
    await this.lines.moveTo(this.handle.fd);
    await former.close();
  }

  private readonly writeLast = (): void => this.lines.writeLast(0, true);
}
