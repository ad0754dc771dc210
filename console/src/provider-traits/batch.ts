// Changes one trait on many providers: selects the targets, previews the change, applies it one provider at a time.
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

/**
 * Changes the targets one at a time until all are done or the signal aborts. A failure does not stop the batch. Calls
 * `onOutcome` with each outcome at once; `outcomeOf` converts an error of `change` into an outcome.
 */
export async function runBatch(
  targets: readonly Target[],
  change: (target: Target) => Promise<'done' | 'already'>,
  outcomeOf: (error: unknown) => Outcome,
  onOutcome: (target: Target, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<'finished' | 'stopped'> {
  for (const target of targets) {
    if (signal.aborted) return 'stopped';
    try {
      onOutcome(target, { kind: await change(target) });
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
