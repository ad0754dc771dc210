// The shared state of the steps of an import.
import type { Database } from '../../platform/database/database';
import type { Findings } from '../findings';
import type { NameTable } from '../name-tables';
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
  /** The number of rows that were written, deleted or changed. */
  readonly written: { count: number };
  readonly now: () => number;
}

/** Ids in the reference, mapped to ids in Berth. */
export type NewIds = ReadonlyMap<number, number>;

export interface NameIds extends Readonly<Record<NameTable, NewIds>> {
  readonly placeholder: { readonly projectId: number; readonly userId: number };
}
