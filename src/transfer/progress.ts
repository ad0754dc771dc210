// Progress of a transfer on standard error: a bar with rows, rate and time left on a terminal, otherwise plain lines.
// Standard output has only the result.
import { Presets, SingleBar } from 'cli-progress';
import { TRANSFER_LIMITS } from '../platform/config/limits/transfer';

export interface Progress {
  /** Ends the current stage and starts one of about `rows` rows. */
  stage(name: string, rows: number): void;
  advance(rows: number): void;
  end(): void;
}

export const SILENT: Progress = { stage: () => undefined, advance: () => undefined, end: () => undefined };

/** The stream for plain lines: standard error. */
interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? new BarProgress(stream) : new LineProgress(stream);
}

class BarProgress implements Progress {
  private bar: SingleBar | undefined;
  private beganAt = 0;
  private done = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  stage(name: string, rows: number): void {
    this.end();
    [this.beganAt, this.done] = [performance.now(), 0];
    this.bar = new SingleBar(
      {
        stream: this.stream,
        format: '{stage} [{bar}] {percentage} % | {value}/{total} rows | {rate}/s | {eta_formatted} left',
        fps: 1000 / TRANSFER_LIMITS.progressDrawMs,
        hideCursor: true,
      },
      Presets.legacy,
    );
    this.bar.start(Math.max(rows, 1), 0, { stage: name.padEnd(14), rate: 0 });
  }

  advance(rows: number): void {
    this.done += rows;
    this.bar?.update(this.done, { rate: rateOf(this.done, this.beganAt) });
  }

  end(): void {
    this.bar?.stop();
    this.bar = undefined;
  }
}

export class LineProgress implements Progress {
  private name: string | undefined;
  private rows = 0;
  private done = 0;
  private beganAt = 0;
  private reportedAt = 0;

  constructor(
    private readonly stream: ProgressStream,
    private readonly now: () => number = () => performance.now(),
  ) {}

  stage(name: string, rows: number): void {
    this.end();
    [this.name, this.rows, this.done] = [name, rows, 0];
    this.beganAt = this.reportedAt = this.now();
  }

  advance(rows: number): void {
    this.done += rows;
    if (this.now() - this.reportedAt < TRANSFER_LIMITS.progressLineMs) return;
    this.reportedAt = this.now();
    const rate = rateOf(this.done, this.beganAt, this.reportedAt);
    const left = rate === 0 ? '?' : Math.max(0, Math.round((this.rows - this.done) / rate));
    this.stream.write(`${this.name}: ${this.done} of ${this.rows} rows, ${rate}/s, ${left} s left\n`);
  }

  end(): void {
    if (this.name === undefined) return;
    this.stream.write(`${this.name}: ${this.done} rows in ${secondsSince(this.beganAt, this.now())} s\n`);
    this.name = undefined;
  }
}

/** Seconds, rounded to one decimal. */
export const secondsSince = (beganAt: number, now = performance.now()): number =>
  Math.round((now - beganAt) / 100) / 10;

function rateOf(done: number, beganAt: number, now = performance.now()): number {
  return Math.round((done * 1000) / Math.max(1, now - beganAt));
}
