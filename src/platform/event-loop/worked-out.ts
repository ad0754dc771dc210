// What is worked out when somebody asks and what there is has grown too old: once for all who ask meanwhile. Who asks gets
// what there is, and hears whether something newer is on its way.
import { within } from './within';

export interface Newest<T> {
  /** `computing`: something newer is being worked out. */
  readonly state: 'current' | 'computing';
  /** Null: nothing was worked out so far. */
  readonly last: T | null;
}

interface WorkedOutBounds {
  readonly keptMs: number;
  /** So long the first one is waited for. */
  readonly firstWaitMs: number;
}

export class WorkedOut<T extends { readonly atMs: number }> {
  last: T | null = null;
  private running: Promise<void> | undefined;

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Throws what `begin` throws, and what kept the first one from being worked out; any other failure leaves the last one. */
  async newest(nowMs: number, { keptMs, firstWaitMs }: WorkedOutBounds, begin: () => Promise<T>): Promise<Newest<T>> {
    const isOld = this.last === null || nowMs - this.last.atMs >= keptMs;
    if (isOld && this.running === undefined) this.follow(begin());
    if (this.last === null && this.running !== undefined) await within(firstWaitMs, this.running, () => undefined);
    return { state: this.running === undefined ? 'current' : 'computing', last: this.last };
  }

  private follow(work: Promise<T>): void {
    this.running = work.then((found) => void (this.last = found)).finally(() => (this.running = undefined));
    // Nobody may be waiting for it.
    this.running.catch(() => undefined);
  }
}
