// Counts searches since the start, their outcomes and their time per stage. searches.metrics.ts exports the counters.
import type { Candidates } from '../candidate-search';
import { tracing } from '../../platform/tracing/tracing';
import { COUNT_BOUNDS, DURATION_BOUNDS, Distribution } from '../../platform/values/tally';

/** The callers: clients of the Placement API, the scheduler, and requests for explanations. */
export const SEARCH_ASKERS = ['placement', 'scheduler', 'explain'] as const;
export type SearchAsker = (typeof SEARCH_ASKERS)[number];

/**
 * `refresh` updates the graph, `names` looks up names that no provider has, `search` visits the trees, `explain` also
 * finds reasons.
 */
export const SEARCH_STAGES = ['refresh', 'names', 'search', 'explain'] as const;
type SearchStage = (typeof SEARCH_STAGES)[number];

/**
 * Why an answer can lack candidates: the maximum was reached, a step limit was reached, or the answer was too large.
 */
export const SEARCH_CUTS = ['maximum', 'work', 'bytes'] as const;
type SearchCut = (typeof SEARCH_CUTS)[number];

interface AskerTally {
  /** Distribution of the number of candidates per search. */
  readonly candidates: Distribution;
  readonly cuts: Readonly<Record<SearchCut, { count: number }>>;
}

const MILLISECONDS = 1_000;

export class SearchTally {
  readonly stages = mapOf(SEARCH_STAGES, () => new Distribution(DURATION_BOUNDS));
  readonly askers = mapOf(SEARCH_ASKERS, (): AskerTally => ({
    candidates: new Distribution(COUNT_BOUNDS),
    cuts: mapOf(SEARCH_CUTS, () => ({ count: 0 })),
  }));

  /** Measures a stage, including failed ones. */
  async timed<T>(stage: SearchStage, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await tracing.within('stage', `search: ${stage}`, work);
    } finally {
      this.stages[stage].add((performance.now() - began) / MILLISECONDS);
    }
  }

  ended(asker: SearchAsker, { list, truncated, gaveUp, isTooLarge }: Candidates): void {
    const { candidates, cuts } = this.askers[asker];
    candidates.add(list.length);
    if (truncated) cuts[isTooLarge ? 'bytes' : gaveUp ? 'work' : 'maximum'].count += 1;
  }
}

const mapOf = <K extends string, V>(keys: readonly K[], make: () => V): Readonly<Record<K, V>> =>
  Object.fromEntries(keys.map((key) => [key, make()])) as Record<K, V>;
