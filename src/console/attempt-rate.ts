// How often something may be tried by whoever is named: some times at once, and once more after each pause. Pure but for
// the clock it is given; its memory is bounded, and inventing names neither frees nor fills anybody else's.

interface AttemptLimits {
  /** Tries at once. */
  readonly most: number;
  /** After so long there is one more, up to the most. */
  readonly regainsMs: number;
  /** Names that are told apart; beyond, new ones share the tries of one. */
  readonly names: number;
}

const ALL_OTHERS = '';

export class AttemptRate {
  /** When all tries will be there again, by name; the one first that tried longest ago. */
  private readonly restedAt = new Map<string, number>();

  constructor(
    private readonly limits: AttemptLimits,
    private readonly now: () => number,
  ) {}

  /** Takes one try. 0: there was one; else how long until there is, in milliseconds. */
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

  /** Gives all tries back. */
  forgive(name: string): void {
    this.restedAt.delete(name);
  }

  private keyOf(name: string, nowMs: number): string {
    if (this.restedAt.has(name)) return name;
    this.forgetRested(nowMs);
    return this.restedAt.size < this.limits.names ? name : ALL_OTHERS;
  }

  /** Whoever has all tries again need not be remembered. */
  private forgetRested(nowMs: number): void {
    for (const [name, restedAt] of this.restedAt) {
      if (restedAt > nowMs) return;
      this.restedAt.delete(name);
    }
  }
}
