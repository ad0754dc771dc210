// One trait on many providers: who is meant, what would happen to each, and doing it one after the other.
import type { TraitChange } from './change-trait';

export interface Target {
  readonly uuid: string;
  readonly name: string;
}

export interface Preview {
  /** Those that would be changed. */
  readonly changes: readonly Target[];
  /** Those that are as they shall be. */
  readonly already: readonly Target[];
  /** What was asked for and cannot be changed, with the reason. */
  readonly cannot: readonly { readonly name: string; readonly reason: string }[];
}

/** `holders`: the uuids of the providers that have the trait now. A target that is named twice is one. */
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

/** Names and uuids as they were pasted: by lines, spaces, commas or semicolons; each once. */
export function pastedNames(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))];
}

export type Outcome =
  { readonly kind: 'done' | 'already' } | { readonly kind: 'conflict' | 'failed'; readonly message: string };

/**
 * Takes the targets one after the other, whatever becomes of each, until all are done or the signal says stop. Every
 * outcome is told as soon as it is known. `change` throws what `outcomeOf` puts into words.
 */
export async function runBatch(
  targets: readonly Target[],
  change: (target: Target) => Promise<'done' | 'already'>,
  outcomeOf: (error: unknown) => Outcome,
  told: (target: Target, outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<'finished' | 'stopped'> {
  for (const target of targets) {
    if (signal.aborted) return 'stopped';
    try {
      told(target, { kind: await change(target) });
    } catch (error) {
      // What was ended by the stop was not done: it stays untried.
      if (signal.aborted) return 'stopped';
      told(target, outcomeOf(error));
    }
  }
  return 'finished';
}

export interface Tally {
  readonly done: number;
  readonly already: number;
  readonly conflicts: number;
  readonly failed: number;
  /** Those that are not as they shall be: not tried yet, or in vain. */
  readonly left: readonly Target[];
}

export function tallyOf({ changes }: Pick<Preview, 'changes'>, outcomes: ReadonlyMap<string, Outcome>): Tally {
  const count = (kind: Outcome['kind']): number =>
    changes.reduce((sum, { uuid }) => sum + Number(outcomes.get(uuid)?.kind === kind), 0);
  return {
    done: count('done'),
    already: count('already'),
    conflicts: count('conflict'),
    failed: count('failed'),
    left: changes.filter(({ uuid }) => !['done', 'already'].includes(outcomes.get(uuid)?.kind ?? '')),
  };
}
