// Why Placement has no candidate: the smallest sets of conditions whose removal yields one. Found by repeated searches
// without one condition, then without two, within limits on searches and time.

import type { ResourceRequest } from '../../placement/candidate-search';
import { conditionsOf } from '../../placement/candidate-search';
import { CONFLICT_SEARCHES, CONFLICT_TIME_MS } from './limits';

export interface MinimalConflicts {
  /** Each set in the syntax of the query string, smallest sets first. */
  readonly sets: readonly (readonly string[])[];
  /** True if every set of one and two conditions was tried. */
  readonly isComplete: boolean;
  readonly searches: number;
}

/**
 * Sets of one condition; if there are none, sets of two. No set contains a smaller one that was found. `hasAny` returns
 * whether Placement has a candidate.
 */
export async function findMinimalConflicts(
  request: ResourceRequest,
  hasAny: (relaxed: ResourceRequest) => Promise<boolean>,
  clock: () => number,
): Promise<MinimalConflicts> {
  const conditions = conditionsOf(request);
  const endsAt = clock() + CONFLICT_TIME_MS;
  let searches = 0;
  const mayAsk = (): boolean => searches < CONFLICT_SEARCHES && clock() < endsAt;
  const helps = (relaxed: ResourceRequest): Promise<boolean> => {
    searches += 1;
    return asksForNothing(relaxed) ? Promise.resolve(false) : hasAny(relaxed);
  };
  const sets: string[][] = [];
  for (const condition of conditions) {
    if (!mayAsk()) return { sets, isComplete: false, searches };
    if (await helps(condition.without(request))) sets.push([condition.text]);
  }
  if (sets.length > 0) return { sets, isComplete: true, searches };
  for (const [at, first] of conditions.entries()) {
    for (const second of conditions.slice(at + 1)) {
      if (!mayAsk()) return { sets, isComplete: false, searches };
      if (await helps(second.without(first.without(request)))) sets.push([first.text, second.text]);
    }
  }
  return { sets, isComplete: true, searches };
}

const asksForNothing = ({ groups }: ResourceRequest): boolean => groups.length === 0;
