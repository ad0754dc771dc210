// Counts searches since the start, their outcomes and their time per stage. searches.metrics.ts exports the counters.
import { tracing } from '../../platform/tracing/tracing';
import { COUNT_BOUNDS, Distribution, DURATION_BOUNDS } from '../../platform/values/counters';
import type { Candidates } from '../candidate-search';

/** The caller: a client of the Placement API, the scheduler, or a request for reasons. */
export const CALLER_KINDS = ['placement', 'scheduler', 'explain'] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/**
 * `refresh` updates the graph, `names` looks up names that no provider has, `search` searches the trees, `explain` judges
 * every host.
 */
export const SEARCH_STAGES = ['refresh', 'names', 'search', 'explain'] as const;
type SearchStage = (typeof SEARCH_STAGES)[number];

/** The limit that cut an answer: the number of candidates, the work of the search, or the size in bytes. */
export const SEARCH_CUTS = ['maximum', 'work', 'bytes'] as const;
type SearchCut = (typeof SEARCH_CUTS)[number];

interface CallerCounters {
  /** Searches by the number of candidates found. */
  readonly candidates: Distribution;
  readonly cuts: Readonly<Record<SearchCut, { count: number }>>;
}

const MILLISECONDS = 1_000;

export class SearchCounters {
  readonly stages = mapOf(SEARCH_STAGES, () => new Distribution(DURATION_BOUNDS));
  readonly callers = mapOf(CALLER_KINDS, (): CallerCounters => ({
    candidates: new Distribution(COUNT_BOUNDS),
    cuts: mapOf(SEARCH_CUTS, () => ({ count: 0 })),
  }));

  /** Counts the time of a stage, whether it fails or not. */
  async timed<T>(stage: SearchStage, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await tracing.within('stage', `search: ${stage}`, work);
    } finally {
      this.stages[stage].add((performance.now() - began) / MILLISECONDS);
    }
  }

  ended(caller: CallerKind, { list, truncated, gaveUp, isTooLarge }: Candidates): void {
    const { candidates, cuts } = this.callers[caller];
    candidates.add(list.length);
    if (truncated) cuts[isTooLarge ? 'bytes' : gaveUp ? 'work' : 'maximum'].count += 1;
  }
}

const mapOf = <K extends string, V>(keys: readonly K[], make: () => V): Readonly<Record<K, V>> =>
  Object.fromEntries(keys.map((key) => [key, make()])) as Record<K, V>;
