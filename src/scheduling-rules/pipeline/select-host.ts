// Selects the host to try first: by default the best one; with options, a random one among the best, by the decision's
// seed.

import type { Random } from '../../platform/values/random';
import { randomIndex, shuffled } from '../../platform/values/random';
import type { SelectionOptions } from './define-driver';
import type { HostWeight } from './run-weighers';
import { sameWeight } from './run-weighers';

interface Selection<H extends HostWeight> {
  /** All hosts of the ranking, in the order of the attempts. */
  readonly order: readonly H[];
  /** Number of best hosts from which the first one was drawn. */
  readonly drawnFrom: number;
}

/** Moves the drawn host to the front; the others keep their order. */
export function selectHost<H extends HostWeight>(
  ranking: readonly H[],
  options: SelectionOptions,
  random: Random,
): Selection<H> {
  const ordered = options.shuffleBestSameWeighedHosts ? shuffleBest(ranking, random) : ranking;
  const drawnFrom = Math.min(Math.max(1, options.hostSubsetSize), ordered.length);
  if (drawnFrom < 2) return { order: ordered, drawnFrom };
  const drawn = randomIndex(random, drawnFrom);
  const first = ordered[drawn];
  return { order: first === undefined ? ordered : [first, ...ordered.filter((_, at) => at !== drawn)], drawnFrom };
}

function shuffleBest<H extends HostWeight>(ranking: readonly H[], random: Random): readonly H[] {
  const best = ranking[0];
  if (best === undefined) return ranking;
  const others = ranking.findIndex(({ weight }) => !sameWeight(weight, best.weight));
  const equals = others === -1 ? ranking.length : others;
  return [...shuffled(ranking.slice(0, equals), random), ...ranking.slice(equals)];
}
