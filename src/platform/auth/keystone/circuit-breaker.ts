// Circuit breaker for the Identity service: opens after N consecutive failures for a pause, then lets one probe
// through; closes when a request succeeds. Pure except for the injected clock.

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

  /** Requests pass without restriction. */
  get isClosed(): boolean {
    return this.shutUntil === -Infinity;
  }

  /** Time until a request can pass; 0 if it can pass now. Does not reserve the probe. */
  get waitMs(): number {
    if (this.isClosed) return 0;
    const rest = this.shutUntil - this.now();
    if (rest > 0) return rest;
    return this.isTrying ? this.limits.pauseMs : 0;
  }

  /** Whether this request can pass. After a pause only one passes until `succeeded` or `failed` is called. */
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

  /** `pauseMs`: opens the breaker for this time, after any number of failures. */
  failed(pauseMs?: number): void {
    this.failures += 1;
    const isOver = this.shutUntil <= this.now();
    const wasTried = !this.isClosed && isOver;
    this.isTrying &&= !isOver;
    if (pauseMs !== undefined) {
      this.shutUntil = Math.max(this.shutUntil, this.now() + pauseMs);
      return;
    }
    // Requests sent before the pause can fail during it; they do not extend the pause.
    const isNew = wasTried || (this.isClosed && this.failures >= this.limits.failuresInRow);
    if (!isNew) return;
    this.shutUntil = this.now() + this.pauseMs;
    this.pauseMs = Math.min(this.pauseMs * 2, this.limits.pauseMsMax);
  }
}
