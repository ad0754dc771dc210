// The candidates found so far, and whether they are enough.

import type { CandidateShape, FoundCandidate } from './candidate';
import { countToGenerate } from './limit';
import type { CandidateQuery } from './request-group';

export interface SizeBound {
  /** The size in bytes of a candidate of this shape in the answer. */
  readonly bytesOfShape?: (shape: CandidateShape) => number;
  /** When its candidates exceed this size, the search stops and sets `isTooLarge`. */
  readonly maxBytes?: number;
}

/** Sums up the sizes; all candidates of one shape have the same size. */
export class SizeMeter {
  private lastShape: CandidateShape | null = null;
  private lastSize = 0;
  private bytes = 0;

  private constructor(
    private readonly bytesOfShape: (shape: CandidateShape) => number,
    private readonly maxBytes: number,
  ) {}

  /** Null if no size is bounded. */
  static of({ bytesOfShape, maxBytes }: SizeBound): SizeMeter | null {
    return bytesOfShape === undefined || maxBytes === undefined ? null : new SizeMeter(bytesOfShape, maxBytes);
  }

  get isExceeded(): boolean {
    return this.bytes > this.maxBytes;
  }

  add({ shape }: FoundCandidate): void {
    if (shape !== this.lastShape) {
      this.lastShape = shape;
      this.lastSize = this.bytesOfShape(shape);
    }
    this.bytes += this.lastSize;
  }
}

/** The candidates of one pass, in the order in which they were found. */
export class Found {
  readonly list: FoundCandidate[] = [];
  private readonly countWanted: number;
  private readonly size: SizeMeter | null;

  constructor(query: CandidateQuery, bound: SizeBound) {
    this.countWanted = countToGenerate(query);
    // With random sampling, most generated candidates are not in the answer, so their size is not bounded.
    const isDrawnFrom = query.randomize && query.limit !== null;
    this.size = isDrawnFrom ? null : SizeMeter.of(bound);
  }

  get isTooLarge(): boolean {
    return this.size?.isExceeded === true;
  }

  get isEnough(): boolean {
    return this.list.length >= this.countWanted || this.size?.isExceeded === true;
  }

  add(candidate: FoundCandidate): void {
    this.list.push(candidate);
    this.size?.add(candidate);
  }
}
