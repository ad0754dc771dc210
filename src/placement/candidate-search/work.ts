// The work of a search, in steps: a step is a look at one provider, one choice or one thing taken already, wherever that
// look is made. Counting is what lets a search pause and give up without a clock.

/** Nobody waits longer than for so many steps: some ten microseconds of them. */
const STEPS_BETWEEN_PAUSES = 4_000;
/** Under one anchor a search gives up after so many steps that found nothing. */
const STEPS_PER_ANCHOR_MAX = 2_000_000;
/** All of a search. */
const STEPS_MAX = 200_000_000;

/** After so many steps that found nothing a walk looks for reasons why nothing could be found. */
const PATIENCE = 400;

export interface WorkBounds {
  readonly stepsMax?: number;
  readonly stepsPerAnchorMax?: number;
  readonly stepsBetweenPauses?: number;
  readonly patience?: number;
}

/** Counts the steps of one search, or of several that share its bounds. */
export class Work {
  /** Whoever works adds to it. */
  done = 0;
  /** A pause is due once so much is done. */
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

  /** For what is bounded and never paused. */
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

  /** A pause is made. */
  goOn(): void {
    this.pauseAt = this.done + this.stepsBetweenPauses;
  }
}
