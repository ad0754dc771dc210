// How many candidates to generate, and which of them are in the answer.

import { assert } from '../../platform/values/assert';
import type { Random } from '../../platform/values/random';
import { randomIndex } from '../../platform/values/random';
import type { CandidateQuery } from './request-group';
import type { Work } from './work';

/** A maximum below 1 counts as 1. */
export function maximumOf(query: CandidateQuery): number {
  return Math.max(1, query.maxCandidates);
}

/**
 * The number of distinct candidates to generate: with sampling all, otherwise up to the limit; one more than the
 * maximum, to detect whether the maximum cut off candidates.
 */
export function countToGenerate(query: CandidateQuery): number {
  const beyond = maximumOf(query) + 1;
  return query.randomize || query.limit === null ? beyond : Math.min(query.limit, beyond);
}

/** The answer: the first `limit` candidates, or a random sample of that size in random order. */
export function applyLimit<T>(
  generated: readonly T[],
  query: CandidateQuery,
  random: Random | undefined,
  work: Work,
): readonly T[] {
  const count = Math.min(query.limit ?? generated.length, generated.length);
  if (!query.randomize) return count === generated.length ? generated : generated.slice(0, count);
  assert(random !== undefined, 'who asks for a random answer brings the source of randomness');
  const pool = [...generated];
  for (let at = 0; at < count; at += 1) {
    const other = at + randomIndex(random, pool.length - at);
    const swap = pool[at];
    const drawn = pool[other];
    if (swap !== undefined && drawn !== undefined) [pool[at], pool[other]] = [drawn, swap];
    work.done += 1;
  }
  return pool.slice(0, count);
}
