// A bounded door: at most so many inside, at most so many waiting, nobody waits for ever.
// In front of the connection pool (an exhausted pool would wait without end) and, with one place, the write mutex.
import { Unavailable } from '../domain/errors';
import { tracing } from '../tracing/tracing';

interface GateLimits {
  readonly inside: number;
  readonly waiting: number;
  readonly waitMs: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/** How full a gate is, and whom it turned away since the start. */
export interface GateCounts {
  readonly inside: number;
  readonly waiting: number;
  /** Because too many waited already. */
  readonly refused: number;
  /** Because the wait took too long. */
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
   * Resolves when there is room inside, first come, first served; the caller must leave. Throws Unavailable when the queue
   * is full or the wait took too long.
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
