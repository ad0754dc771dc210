// Computes a value on demand when the last one has expired: once for all concurrent callers. A caller gets the last
// value and whether a new one is being computed.
import { within } from './within';

export interface Newest<T> {
  /** `computing`: a new value is being computed. */
  readonly state: 'current' | 'computing';
  /** Null: there is no value yet. */
  readonly last: T | null;
}

interface WorkedOutBounds {
  readonly keptMs: number;
  /** How long callers wait for the first value. */
  readonly firstWaitMs: number;
}

export class WorkedOut<T extends { readonly atMs: number }> {
  last: T | null = null;
  private running: Promise<void> | undefined;

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Throws the errors of `begin`, and of the first computation; after any other failure the last value stays. */
  async newest(nowMs: number, { keptMs, firstWaitMs }: WorkedOutBounds, begin: () => Promise<T>): Promise<Newest<T>> {
    const isOld = this.last === null || nowMs - this.last.atMs >= keptMs;
    if (isOld && this.running === undefined) this.follow(begin());
    if (this.last === null && this.running !== undefined) await within(firstWaitMs, this.running, () => undefined);
    return { state: this.running === undefined ? 'current' : 'computing', last: this.last };
  }

  /** The last value, after the computation that runs now. */
  async settled(): Promise<T | null> {
    await this.running?.catch(() => undefined);
    return this.last;
  }

  private follow(work: Promise<T>): void {
    this.running = work.then((found) => void (this.last = found)).finally(() => (this.running = undefined));
    // There can be no caller that awaits it.
    this.running.catch(() => undefined);
  }
}
