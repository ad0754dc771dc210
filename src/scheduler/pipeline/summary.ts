// A decision in a few words: counts by filter and code, one sentence for an operator, one that is safe for a tenant
// because it names neither hosts nor filters.

import type { DecisionEnd, DecisionSummary, PassRecord, PlacementRecord } from './decision';
import type { MinimalConflicts } from './minimal-conflicts';
import type { NearestMiss } from './nearest-misses';
import { count, obstacleText } from './count-words';
import { OBSTACLES_LISTED } from './limits';
import { filterObstacles, placementObstacles } from './obstacles';
import type { Obstacle } from './obstacles';
import { refusalSentence } from './refusal-sentence';
import { countByCode } from './run-filters';
import { PLAIN_WORDING } from './wording';

/** What the summary is made of. */
export interface SummaryInput extends Omit<DecisionEnd, 'nowMs'> {
  readonly placement: PlacementRecord | null;
  readonly passes: readonly PassRecord[];
  readonly nearestMisses: readonly NearestMiss[];
  readonly minimalConflicts: MinimalConflicts | null;
  /** Size of the batch; default: as many as were looked at. */
  readonly instances?: number | undefined;
}

interface Told {
  /** Passes that placed or tried to place an instance. */
  readonly passes: readonly PassRecord[];
  readonly ofPlacement: readonly Obstacle[];
  readonly ofFilters: readonly Obstacle[];
}

/** A decision that placed everything is told by its places; why hosts fell out is gathered where one asks for it. */
export function summarise(input: SummaryInput): DecisionSummary {
  const { wording = PLAIN_WORDING } = input;
  const selects = input.passes.filter(({ phase }) => phase === 'select');
  const isPlaced = input.outcome === 'placed';
  const ofPlacement = isPlaced ? [] : placementObstacles(input.placement?.rejections ?? [], wording);
  const ofFilters = isPlaced ? [] : filterObstacles(selects, wording);
  return {
    rejected: { ...placementByCode(input.placement), ...rejectedByCode(selects) },
    nearestMisses: input.nearestMisses,
    minimalConflicts: input.minimalConflicts,
    reasons: [...ofFilters, ...ofPlacement].slice(0, OBSTACLES_LISTED).map(obstacleText),
    sentence: sentenceOf(input, { passes: selects, ofPlacement, ofFilters }),
    userMessage: userMessageOf(input.code),
  };
}

function placementByCode(placement: PlacementRecord | null): Readonly<Record<string, number>> {
  const counts = Object.entries(countByCode(placement?.rejections ?? []));
  return Object.fromEntries(counts.map(([code, hosts]) => [`placement.${code}`, hosts]));
}

function rejectedByCode(passes: readonly PassRecord[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const stage of passes.flatMap(({ stages }) => stages)) {
    for (const [code, hosts] of Object.entries(countByCode(stage.rejected))) {
      const key = `${stage.name}.${code}`;
      counts[key] = (counts[key] ?? 0) + hosts;
    }
  }
  return counts;
}

function sentenceOf(input: SummaryInput, told: Told): string {
  const { outcome, reason, placement, nearestMisses } = input;
  if (outcome === 'placed') return placedSentence(told.passes);
  const { passes, ofPlacement, ofFilters } = told;
  const isBefore = placement === null && passes.length === 0;
  if (isBefore || outcome !== 'no_valid_host') return reason ?? 'The request was refused.';
  const instances = input.instances ?? passes.length;
  const sentence = refusalSentence({ placement, passes, ofPlacement, ofFilters, nearestMisses, instances });
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** Fewer than asked may do; then the last one looked at found no host. */
function placedSentence(passes: readonly PassRecord[]): string {
  const places = passes.flatMap(({ instanceUuid, selected }) =>
    selected === null ? [] : [`${instanceUuid} on ${selected.host}`],
  );
  const first = `${places.slice(0, 10).join(', ')}${places.length > 10 ? ', …' : ''}`;
  const without = passes.find(({ selected }) => selected === null);
  const end = without === undefined ? '' : `; ${without.instanceUuid} found no host`;
  return `Placed ${count(places.length, 'instance')}: ${first}${end}.`;
}

/** A category without names of hosts, filters or providers. */
function userMessageOf(code: string | null): string {
  switch (code) {
    case null:
      return 'Placed.';
    case 'scheduler.invalid_request':
    case 'scheduler.unsupported':
      return 'The request cannot be scheduled as it is.';
    case 'scheduler.no_candidates':
      return 'There is not enough capacity for what was asked, or nothing satisfies its conditions.';
    case 'scheduler.claims_lost':
      return 'The capacity was taken by other requests at the same time. Try again.';
    case 'scheduler.unavailable':
      return 'The service is busy or not reachable. Try again later.';
    default:
      return 'No host satisfies all conditions of the request.';
  }
}
