// The smallest set of conditions that leaves no host: every host fails at least one of the set. Hosts that fail the same
// conditions count as one, so the work depends on the number of different failures and not on the number of hosts.

/** Larger conflicts explain nothing. */
export const CONFLICT_SIZE_MAX = 3;
/** Steps of one search: a few milliseconds. */
const CONFLICT_STEPS = 300_000;

/** The conditions, by position, that a group of hosts fails; ascending and without duplicates. */
export type FailureSet = readonly number[];

interface Search {
  readonly sets: readonly FailureSet[];
  /** Hosts that satisfy each condition. */
  readonly satisfied: readonly number[];
  steps: number;
  best: readonly number[] | null;
}

/**
 * A set of minimum size, at most `CONFLICT_SIZE_MAX` conditions; of several, the one whose conditions the fewest hosts
 * satisfy. Null: some hosts fail nothing, all such sets are larger, or the search reached its limit of steps.
 */
export function smallestConflict(sets: readonly FailureSet[], satisfied: readonly number[]): readonly number[] | null {
  if (sets.length === 0 || sets.some((failed) => failed.length === 0)) return null;
  const search: Search = { sets, satisfied, steps: 0, best: null };
  for (let size = 1; size <= CONFLICT_SIZE_MAX; size += 1) {
    extend(search, [], size);
    if (search.steps > CONFLICT_STEPS) return null;
    if (search.best !== null) return [...search.best].sort((one, other) => one - other);
  }
  return null;
}

/** Every conflict contains a condition of each set, so the conditions of one uncovered set are all choices. */
function extend(search: Search, chosen: readonly number[], left: number): void {
  const uncovered = smallestUncovered(search, chosen);
  if (uncovered === null) {
    const { best, satisfied } = search;
    if (best === null || sumOf(satisfied, chosen) < sumOf(satisfied, best)) search.best = chosen;
    return;
  }
  if (left === 0) return;
  for (const condition of uncovered) extend(search, [...chosen, condition], left - 1);
}

function smallestUncovered(search: Search, chosen: readonly number[]): FailureSet | null {
  let smallest: FailureSet | null = null;
  for (const failed of search.sets) {
    search.steps += 1;
    if (search.steps > CONFLICT_STEPS) return [];
    if (smallest !== null && failed.length >= smallest.length) continue;
    if (!chosen.some((condition) => failed.includes(condition))) smallest = failed;
  }
  return smallest;
}

const sumOf = (satisfied: readonly number[], chosen: readonly number[]): number =>
  chosen.reduce((sum, condition) => sum + (satisfied[condition] ?? 0), 0);
