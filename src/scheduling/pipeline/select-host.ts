// Picks which host is tried first. Without options it is the best one; with them, chance decides among the best, and
// the seed of the decision decides chance.

import { randomIndex, shuffled } from '../../domain/random';
import type { Random } from '../../domain/random';
import type { SelectionOptions } from './define-driver';
import { sameWeight } from './run-weighers';
import type { HostWeight } from './run-weighers';

interface Selection {
  /** All hosts of the ranking, in the order they are tried. */
  readonly order: readonly HostWeight[];
  /** How many of the best hosts the first was drawn from. */
  readonly drawnFrom: number;
}

/** The drawn host moves to the front, the others keep their order behind it. */
export function selectHost(ranking: readonly HostWeight[], options: SelectionOptions, random: Random): Selection {
  const ordered = options.shuffleBestSameWeighedHosts ? shuffleBest(ranking, random) : ranking;
  const drawnFrom = Math.min(Math.max(1, options.hostSubsetSize), ordered.length);
  if (drawnFrom < 2) return { order: ordered, drawnFrom };
  const drawn = randomIndex(random, drawnFrom);
  const first = ordered[drawn];
  return { order: first === undefined ? ordered : [first, ...ordered.filter((_, at) => at !== drawn)], drawnFrom };
}

function shuffleBest(ranking: readonly HostWeight[], random: Random): readonly HostWeight[] {
  const best = ranking[0];
  if (best === undefined) return ranking;
  const others = ranking.findIndex(({ weight }) => !sameWeight(weight, best.weight));
  const equals = others === -1 ? ranking.length : others;
  return [...shuffled(ranking.slice(0, equals), random), ...ranking.slice(equals)];
}
