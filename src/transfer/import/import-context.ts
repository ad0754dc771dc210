// What the steps of an import share.
import type { Database } from '../../database/database';
import type { Findings } from '../findings';
import type { Progress } from '../progress';
import type { ReferenceReader } from '../reference/reader';

/** `mirror`: what the reference does not have goes. `merge`: it stays, and the reference's word counts for the rest. */
export type ImportMode = 'mirror' | 'merge';

export interface ImportContext {
  readonly reader: ReferenceReader;
  readonly database: Database;
  readonly mode: ImportMode;
  readonly findings: Findings;
  readonly progress: Progress;
  /** Owners of consumers that have none, by external id. */
  readonly placeholder: { readonly project: string; readonly user: string };
  readonly written: WrittenRows;
  /** Digests of what the last pass that ended saw, so that only what is another since is read again. */
  readonly remembered: Digests;
  /** Comparisons that found no difference, so that only those whose tables changed since are made again. */
  readonly verified: Map<string, VerifiedComparison>;
  readonly now: () => number;
}

interface VerifiedComparison {
  /** Of the source's tables that it compares. */
  readonly fingerprint: string;
  /** Numbers that were compared. */
  readonly compared: number;
}

/** How many rows were written, removed or changed. */
export class WrittenRows {
  count = 0;

  add(rows: number): void {
    this.count += rows;
  }
}

/** By the name of the piece. What a pass sees counts once the pass has ended: one that fails is done again. */
export class Digests {
  private last: ReadonlyMap<string, string> = new Map();
  private seen = new Map<string, string>();

  /** True where the piece is what it was in the last pass. */
  isSame(piece: string, digest: string): boolean {
    this.seen.set(piece, digest);
    return this.last.get(piece) === digest;
  }

  endPass(): void {
    this.last = this.seen;
    this.seen = new Map();
  }

  forget(): void {
    this.seen = new Map();
  }
}

/** Ids in the reference to ids of ours. */
export type NewIds = ReadonlyMap<number, number>;

export interface NameIds {
  readonly classes: NewIds;
  readonly traits: NewIds;
  readonly aggregates: NewIds;
  readonly types: NewIds;
  readonly projects: NewIds;
  readonly users: NewIds;
  readonly placeholder: { readonly projectId: number; readonly userId: number };
}
