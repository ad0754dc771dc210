// Keeps questions away from a service that does not answer: after some failures in a row nobody asks for a while, then one
// question is tried, and the rest follow when it is answered. Pure but for the clock it is given.

interface BreakerLimits {
  readonly failuresInRow: number;
  readonly pauseMs: number;
  readonly pauseMsMax: number;
}

export class CircuitBreaker {
  private failures = 0;
  private pauseMs: number;
  private shutUntil = -Infinity;
  private isTrying = false;

  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number,
  ) {
    this.pauseMs = limits.pauseMs;
  }

  /** Questions are asked as they come. */
  get isClosed(): boolean {
    return this.shutUntil === -Infinity;
  }

  /** How long a question would have to wait; 0: it may be asked now. Asks for nothing. */
  get waitMs(): number {
    if (this.isClosed) return 0;
    const rest = this.shutUntil - this.now();
    if (rest > 0) return rest;
    return this.isTrying ? this.limits.pauseMs : 0;
  }

  /** Whether this question may be asked. After a pause only one may, until `succeeded` or `failed` is told of it. */
  admit(): boolean {
    if (this.waitMs > 0) return false;
    if (!this.isClosed) this.isTrying = true;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
    this.isTrying = false;
    this.shutUntil = -Infinity;
    this.pauseMs = this.limits.pauseMs;
  }

  /** `pauseMs`: nobody may ask for so long, however many failures there were. */
  failed(pauseMs?: number): void {
    this.failures += 1;
    const isOver = this.shutUntil <= this.now();
    const wasTried = !this.isClosed && isOver;
    this.isTrying &&= !isOver;
    if (pauseMs !== undefined) {
      this.shutUntil = Math.max(this.shutUntil, this.now() + pauseMs);
      return;
    }
    // Questions that had been asked before the pause began end in it as well, and say nothing new.
    const isNew = wasTried || (this.isClosed && this.failures >= this.limits.failuresInRow);
    if (!isNew) return;
    this.shutUntil = this.now() + this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, this.limits.pauseMsMax);
  }
}
