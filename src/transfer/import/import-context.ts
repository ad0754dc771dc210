// The shared state of the steps of an import.
import type { Database } from '../../platform/database/database';
import type { Findings } from '../findings';
import type { Progress } from '../progress';
import type { ReferenceReader } from '../reference/reader';

/** `mirror` deletes rows that the reference does not have; `merge` keeps them and updates the others. */
export type ImportMode = 'mirror' | 'merge';

export interface ImportContext {
  readonly reader: ReferenceReader;
  readonly database: Database;
  readonly mode: ImportMode;
  readonly findings: Findings;
  readonly progress: Progress;
  /** Placeholder owners of consumers without an owner, by external id. */
  readonly placeholder: { readonly project: string; readonly user: string };
  readonly written: WrittenRows;
  /** Digests of the last complete pass; pieces with the same digest are not read again. */
  readonly remembered: Digests;
  /** Comparisons without differences; they are repeated only if their tables have changed since. */
  readonly verified: Map<string, VerifiedComparison>;
  readonly now: () => number;
}

interface VerifiedComparison {
  /** Fingerprint of the source tables that the comparison reads. */
  readonly fingerprint: string;
  /** How many numbers were compared. */
  readonly compared: number;
}

/** Counts the rows that were written, deleted or changed. */
export class WrittenRows {
  count = 0;

  add(rows: number): void {
    this.count += rows;
  }
}

/**
 * Keyed by the name of the piece. The digests of a pass take effect when it ends, so a failed pass is repeated in full.
 */
export class Digests {
  private last: ReadonlyMap<string, string> = new Map();
  private digests = new Map<string, string>();

  /** True if the piece has not changed since the last pass. */
  isSame(piece: string, digest: string): boolean {
    this.digests.set(piece, digest);
    return this.last.get(piece) === digest;
  }

  endPass(): void {
    this.last = this.digests;
    this.digests = new Map();
  }

  forget(): void {
    this.digests = new Map();
  }
}

/** Ids in the reference, mapped to ids in Berth. */
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
