// Changes one trait on many providers: selects the targets, previews the change, applies it one provider at a time.
import type { Undo } from '../shown/use-change';
import type { TraitChange } from './change-trait';

export interface Target {
  readonly uuid: string;
  readonly name: string;
}

export interface Preview {
  /** Providers to change. */
  readonly changes: readonly Target[];
  /** Providers that are already in the requested state. */
  readonly already: readonly Target[];
  /** Names that cannot be changed, with the reason. */
  readonly cannot: readonly { readonly name: string; readonly reason: string }[];
}

/** `holders`: uuids of the providers that have the trait now. Duplicate targets count once. */
export function previewOf(
  targets: readonly Target[],
  holders: ReadonlySet<string>,
  change: TraitChange,
  cannot: Preview['cannot'] = [],
): Preview {
  const distinct = [...new Map(targets.map((target) => [target.uuid, target])).values()];
  const isWanted = ({ uuid }: Target): boolean => holders.has(uuid) === (change === 'set');
  return {
    changes: distinct.filter((target) => !isWanted(target)),
    already: distinct.filter(isWanted),
    cannot,
  };
}

/** Splits pasted names and uuids at whitespace, commas and semicolons; removes duplicates. */
export function pastedNames(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))];
}

export type Outcome = { readonly kind: 'done' | 'already' } | { readonly kind: 'failed'; readonly message: string };

/** Changes one target; returns the function that reverts it, or undefined if it was as wanted. */
export type ChangeOne = (target: Target, signal: AbortSignal) => Promise<Undo | undefined>;

/**
 * Changes the targets one at a time until all are done or the signal aborts. A failure does not stop the batch. Calls
 * `onOutcome` with each outcome at once; `outcomeOf` converts an error of `change` into an outcome.
 */
export async function runBatch(
  targets: readonly Target[],
  change: ChangeOne,
  outcomeOf: (error: unknown) => Outcome,
  onOutcome: (target: Target, outcome: Outcome, undo?: Undo) => void,
  signal: AbortSignal,
): Promise<'finished' | 'stopped'> {
  for (const target of targets) {
    if (signal.aborted) return 'stopped';
    try {
      const undo = await change(target, signal);
      onOutcome(target, { kind: undo === undefined ? 'already' : 'done' }, undo);
    } catch (error) {
      // A change that the abort interrupted counts as not tried.
      if (signal.aborted) return 'stopped';
      onOutcome(target, outcomeOf(error));
    }
  }
  return 'finished';
}

/** Targets not in the requested state: not tried yet, or failed. */
export const leftOf = (changes: readonly Target[], outcomes: ReadonlyMap<string, Outcome>): readonly Target[] =>
  changes.filter(({ uuid }) => (outcomes.get(uuid)?.kind ?? 'failed') === 'failed');

/** Reverts changes one at a time, the last one first. Throws with the number of those that could not be reverted. */
export async function undoAll(undos: readonly Undo[]): Promise<void> {
  const faults: string[] = [];
  for (const undo of undos.toReversed()) {
    await undo().catch((error: unknown) => faults.push(error instanceof Error ? error.message : String(error)));
  }
  if (faults.length > 0) {
    throw new Error(`${faults.length} of ${undos.length} stay changed. The first reason: ${faults[0]}`);
  }
}
