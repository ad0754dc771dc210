// A bounded door: at most so many inside, at most so many waiting, nobody waits for ever.
// In front of the connection pool (an exhausted pool would wait without end) and, with one place, the write mutex.
import { Unavailable } from '../errors/domain-errors';

export interface GateLimits {
  readonly inside: number;
  readonly waiting: number;
  readonly waitMs: number;
}

interface Waiter {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

export class Gate {
  private inside = 0;
  private readonly queue = new Set<Waiter>();

  constructor(
    private readonly what: string,
    private readonly limits: GateLimits,
  ) {}

  /** Runs `work` inside. Throws Unavailable when the queue is full or the wait took too long. First come, first in. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside < this.limits.inside) this.inside += 1;
    else await this.wait();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private wait(): Promise<void> {
    if (this.queue.size >= this.limits.waiting) throw new Unavailable(`The queue for ${this.what} is full.`);
    return new Promise((enter, refuse) => {
      const timer = setTimeout(() => {
        this.queue.delete(waiter);
        refuse(new Unavailable(`Waited too long for ${this.what}.`));
      }, this.limits.waitMs);
      const waiter: Waiter = { enter, timer };
      this.queue.add(waiter);
    });
  }

  private leave(): void {
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
