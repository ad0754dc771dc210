// The work of a search, counted in steps. A step is one read of a provider, a choice or an earlier choice, in any part
// of the search. With counted steps a search can pause and give up without a clock.

/** Steps between two pauses: some ten microseconds. */
const STEPS_BETWEEN_PAUSES = 4_000;
/** Steps without a result after which a search gives up one anchor. */
const STEPS_PER_ANCHOR_MAX = 2_000_000;
/** Steps of one search at most. */
const STEPS_MAX = 200_000_000;

/** Steps without a result after which an enumeration builds a `PrefixPruner`. */
const PATIENCE = 400;

interface WorkBounds {
  readonly stepsMax?: number;
  readonly stepsPerAnchorMax?: number;
  readonly stepsBetweenPauses?: number;
  readonly patience?: number;
}

/** Counts the steps of one search, or of several searches that share its bounds. */
export class Work {
  /** Every part of the search adds its steps. */
  done = 0;
  /** A pause is due at this number of steps. */
  pauseAt: number;
  readonly stepsPerAnchorMax: number;
  readonly patience: number;
  private readonly stepsMax: number;
  private readonly stepsBetweenPauses: number;

  constructor(bounds: WorkBounds = {}) {
    this.stepsMax = bounds.stepsMax ?? STEPS_MAX;
    this.stepsPerAnchorMax = bounds.stepsPerAnchorMax ?? STEPS_PER_ANCHOR_MAX;
    this.stepsBetweenPauses = bounds.stepsBetweenPauses ?? STEPS_BETWEEN_PAUSES;
    this.patience = bounds.patience ?? PATIENCE;
    this.pauseAt = this.stepsBetweenPauses;
  }

  /** For bounded work that never pauses. */
  static withoutPauses(bounds: WorkBounds = {}): Work {
    return new Work({ ...bounds, stepsBetweenPauses: Number.POSITIVE_INFINITY });
  }

  get isPauseDue(): boolean {
    return this.done >= this.pauseAt;
  }

  get isUsedUp(): boolean {
    return this.done >= this.stepsMax;
  }

  /** Returns whether a pause is due, and counts it as made. */
  takesPause(): boolean {
    if (!this.isPauseDue) return false;
    this.goOn();
    return true;
  }

  /** Marks the pause as done. */
  goOn(): void {
    this.pauseAt = this.done + this.stepsBetweenPauses;
  }
}
