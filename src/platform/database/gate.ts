// A semaphore with a bounded queue and a wait timeout. It guards the connection pool, which would otherwise let callers
// wait without limit; with one place it is the write mutex.
import { tracing } from '../tracing/tracing';
import { Unavailable } from '../values/errors';

interface GateLimits {
  readonly inside: number;
  readonly waiting: number;
  readonly waitMs: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Current occupancy, and refusals since the start. */
export interface GateCounts {
  readonly inside: number;
  readonly waiting: number;
  /** Refused because the queue was full. */
  readonly refused: number;
  /** Refused because the wait timed out. */
  readonly givenUp: number;
}

export class Gate {
  private inside = 0;
  private refused = 0;
  private givenUp = 0;
  private readonly queue = new Set<Waiter>();

  constructor(
    private readonly what: string,
    private readonly limits: GateLimits,
  ) {}

  get counts(): GateCounts {
    const { inside, refused, givenUp } = this;
    return { inside, waiting: this.queue.size, refused, givenUp };
  }

  /** Runs `work` between `enter` and `leave`. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /**
   * Resolves when a place is free, first come, first served; the caller must call `leave`. Throws Unavailable if the
   * queue is full or the wait timed out.
   */
  async enter(): Promise<void> {
    if (this.inside < this.limits.inside) this.inside += 1;
    else await tracing.within('stage', `wait for ${this.what}`, () => this.wait());
  }

  private async wait(): Promise<void> {
    if (this.queue.size >= this.limits.waiting) {
      this.refused += 1;
      throw new Unavailable(`The queue for ${this.what} is full.`);
    }
    return new Promise<void>((enter, refuse) => {
      const timer = setTimeout(() => {
        this.queue.delete(waiter);
        this.givenUp += 1;
        refuse(new Unavailable(`Waited too long for ${this.what}.`));
      }, this.limits.waitMs);
      const waiter: Waiter = { enter, timer };
      this.queue.add(waiter);
    });
  }

  leave(): void {
    const [next] = this.queue;
    if (next === undefined) {
      this.inside -= 1;
      return;
    }
    this.queue.delete(next);
    clearTimeout(next.timer);
    next.enter();
  }
}
