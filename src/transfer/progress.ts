// Progress of a transfer on standard error: a bar with rows, rate and time left on a terminal, otherwise a line every few
// seconds. Standard output has only the result.
import { Presets, SingleBar } from 'cli-progress';
import { TRANSFER_LIMITS } from '../platform/config/limits/transfer';

export interface Progress {
  /** Ends the current stage and starts one of about `rows` rows. */
  stage(name: string, rows: number): void;
  advance(rows: number): void;
  end(): void;
}

export const SILENT: Progress = { stage: () => undefined, advance: () => undefined, end: () => undefined };

export class BarProgress implements Progress {
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
        // Interrupts belong to the command.
        gracefulExit: false,
        noTTYOutput: true,
        notTTYSchedule: TRANSFER_LIMITS.progressLineMs,
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

/** Seconds, rounded to one decimal. */
export const secondsSince = (beganAt: number, now = performance.now()): number =>
  Math.round((now - beganAt) / 100) / 10;

function rateOf(done: number, beganAt: number, now = performance.now()): number {
  return Math.round((done * 1000) / Math.max(1, now - beganAt));
}
