// What a search has found so far, and whether it is enough.

import type { Candidate, CandidateShape } from './candidate';
import { countToGenerate } from './limit';
import type { CandidateQuery } from './request-group';

export interface SizeBound {
  /** How many bytes a candidate of the shape takes in the answer; asked once a shape. */
  readonly bytesOfShape?: (shape: CandidateShape) => number;
  /** The search stops, and says that its answer is too large, once its candidates take more bytes than this. */
  readonly maxBytes?: number;
}

/** Adds up bytes; candidates of one shape take equally many. */
export class SizeMeter {
  private bytes = 0;
  private readonly sizes = new Map<CandidateShape, number>();
  private lastShape: CandidateShape | null = null;
  private lastSize = 0;

  private constructor(
    private readonly bytesOfShape: (shape: CandidateShape) => number,
    private readonly maxBytes: number,
  ) {}

  /** Null where nothing is bounded. */
  static of({ bytesOfShape, maxBytes }: SizeBound): SizeMeter | null {
    return bytesOfShape === undefined || maxBytes === undefined ? null : new SizeMeter(bytesOfShape, maxBytes);
  }

  get isExceeded(): boolean {
    return this.bytes > this.maxBytes;
  }

  add({ shape }: Candidate): void {
    if (shape !== this.lastShape) {
      this.lastShape = shape;
      this.lastSize = this.sizeOf(shape);
    }
    this.bytes += this.lastSize;
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
  readonly list: Candidate[] = [];
  private readonly wanted: number;
  private readonly size: SizeMeter | null;

  constructor(query: CandidateQuery, bound: SizeBound) {
    this.wanted = countToGenerate(query);
    // Of what is only drawn from, most is not in the answer.
    this.size = query.randomize && query.limit !== null ? null : SizeMeter.of(bound);
  }

  get isTooLarge(): boolean {
    return this.size?.isExceeded === true;
  }

  /** No more is wanted. */
  get isEnough(): boolean {
    return this.list.length >= this.wanted || this.size?.isExceeded === true;
  }

  add(candidate: Candidate): void {
    this.list.push(candidate);
    this.size?.add(candidate);
  }
}
