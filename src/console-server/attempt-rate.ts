// Rate limit by name: a burst of attempts, then one more attempt after each interval. Pure except for the injected
// clock. Its memory is bounded, and a client cannot reset or exhaust the quota of other names by inventing names.

interface AttemptLimits {
  /** Size of the burst. */
  readonly most: number;
  /** Interval after which one more attempt is available, up to `most`. */
  readonly regainsMs: number;
  /** How many names have a quota of their own. Further names share one quota. */
  readonly names: number;
}

const ALL_OTHERS = '';

export class AttemptRate {
  /** The time at which each name has its full quota again. The least recently used name is first. */
  private readonly restedAt = new Map<string, number>();

  constructor(
    private readonly limits: AttemptLimits,
    private readonly now: () => number,
  ) {}

  /** Takes one attempt. Returns 0 if one was available, otherwise the wait in milliseconds. */
  take(name: string): number {
    const { most, regainsMs } = this.limits;
    const nowMs = this.now();
    const key = this.keyOf(name, nowMs);
    const restedAt = Math.max(nowMs, this.restedAt.get(key) ?? nowMs);
    const waitMs = restedAt - nowMs - (most - 1) * regainsMs;
    if (waitMs > 0) return Math.ceil(waitMs);
    this.restedAt.delete(key);
    this.restedAt.set(key, restedAt + regainsMs);
    return 0;
  }

  /** Restores the full quota. */
  forgive(name: string): void {
    this.restedAt.delete(name);
  }

  private keyOf(name: string, nowMs: number): string {
    if (this.restedAt.has(name)) return name;
    this.forgetRested(nowMs);
    return this.restedAt.size < this.limits.names ? name : ALL_OTHERS;
  }

  /** Deletes names that have their full quota again. */
  private forgetRested(nowMs: number): void {
    for (const [name, restedAt] of this.restedAt) {
      if (restedAt > nowMs) return;
      this.restedAt.delete(name);
    }
  }
}
