// What a search has found so far, and whether it is enough.

import type { CandidateShape, FoundCandidate } from './candidate';
import { countToGenerate } from './limit';
import type { CandidateQuery } from './request-group';

export interface SizeBound {
  /** How many bytes a candidate of the shape takes in the answer; asked once a shape. */
  readonly bytesOfShape?: (shape: CandidateShape) => number;
  /** The search stops, and says that its answer is too large, once its candidates take more bytes than this. */
  readonly maxBytes?: number;
  /** Told of what was found so far, where bytes are counted. */
  readonly progress?: SearchProgress;
}

/** What a search under way has found: whoever pulls it may stop when that is too much. */
export interface SearchProgress {
  bytes: number;
}

/** Adds up bytes; candidates of one shape take equally many. */
export class SizeMeter {
  private readonly sizes = new Map<CandidateShape, number>();
  private lastShape: CandidateShape | null = null;
  private lastSize = 0;

  private constructor(
    private readonly bytesOfShape: (shape: CandidateShape) => number,
    private readonly maxBytes: number,
    private readonly found: SearchProgress,
  ) {}

  /** Null where nothing is bounded. Begins anew. */
  static of({ bytesOfShape, maxBytes, progress = { bytes: 0 } }: SizeBound): SizeMeter | null {
    if (bytesOfShape === undefined || maxBytes === undefined) return null;
    progress.bytes = 0;
    return new SizeMeter(bytesOfShape, maxBytes, progress);
  }

  get isExceeded(): boolean {
    return this.found.bytes > this.maxBytes;
  }

  add({ shape }: FoundCandidate): void {
    if (shape !== this.lastShape) {
      this.lastShape = shape;
      this.lastSize = this.sizeOf(shape);
    }
    this.found.bytes += this.lastSize;
  }

  private sizeOf(shape: CandidateShape): number {
    let size = this.sizes.get(shape);
    if (size === undefined) {
      size = this.bytesOfShape(shape);
      if (this.sizes.size < SHAPES_MEASURED_MAX) this.sizes.set(shape, size);
    }
    return size;
  }
}

/** As many as are kept of one search. */
const SHAPES_MEASURED_MAX = 5_000;

/** The candidates of one pass, in the order they were found. */
export class Found {
  readonly list: FoundCandidate[] = [];
  private readonly countWanted: number;
  private readonly size: SizeMeter | null;

  constructor(query: CandidateQuery, bound: SizeBound) {
    this.countWanted = countToGenerate(query);
    // Of what is only drawn from, most is not in the answer: it is counted and not bounded.
    const isDrawnFrom = query.randomize && query.limit !== null;
    this.size = SizeMeter.of(isDrawnFrom ? { ...bound, maxBytes: Number.POSITIVE_INFINITY } : bound);
  }

  get isTooLarge(): boolean {
    return this.size?.isExceeded === true;
  }

  /** No more is wanted. */
  get isEnough(): boolean {
    return this.list.length >= this.countWanted || this.size?.isExceeded === true;
  }

  add(candidate: FoundCandidate): void {
    this.list.push(candidate);
    this.size?.add(candidate);
  }
}
