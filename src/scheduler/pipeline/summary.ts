// A decision in a few words: counts by filter and code, one sentence for an operator, one that is safe for a tenant
// because it names neither hosts nor filters.

import type { DecisionEnd, DecisionSummary, PassRecord, PlacementRecord } from './decision';
import type { MinimalConflicts } from './minimal-conflicts';
import type { NearestMiss } from './nearest-misses';
import type { PassTotals } from './pass-log';
import { countByCode } from './run-filters';

/** What the summary is made of. */
export interface SummaryInput extends Omit<DecisionEnd, 'nowMs'> {
  readonly placement: PlacementRecord | null;
  readonly passes: PassTotals;
  readonly nearestMisses: readonly NearestMiss[];
  readonly minimalConflicts: MinimalConflicts | null;
}

export function summarise(input: SummaryInput): DecisionSummary {
  return {
    rejected: { ...placementByCode(input.placement), ...input.passes.rejected },
    nearestMisses: input.nearestMisses,
    minimalConflicts: input.minimalConflicts,
    sentence: sentenceOf(input),
    userMessage: userMessageOf(input.code),
  };
}

function placementByCode(placement: PlacementRecord | null): Readonly<Record<string, number>> {
  const counts = Object.entries(countByCode(placement?.rejections ?? []));
  return Object.fromEntries(counts.map(([code, hosts]) => [`placement.${code}`, hosts]));
}

function sentenceOf({ outcome, reason, placement, passes, ...input }: SummaryInput): string {
  if (outcome === 'placed') return placedSentence(passes);
  if (placement === null) return reason ?? 'The request was refused.';
  if (placement.hosts === 0) return emptySentence(placement, input.nearestMisses);
  const { last, selects } = passes;
  const parts = [
    `Placement returned ${count(placement.hosts, 'host')}${rejectedSentence(placement)}`,
    ...(last === null ? [] : [...stagesOf(last), claimsOf(last)]),
    ...(selects > 1 ? [`${count(selects - 1, 'instance')} of the batch had found a host before`] : []),
    ...(last === null && reason !== null ? [reason] : []),
  ];
  return `${parts.filter((part) => part !== '').join('; ')}.`;
}

/** Fewer than asked may do; then the last one looked at found no host. */
function placedSentence({ placed, firstPlaced, withoutHost }: PassTotals): string {
  const places = firstPlaced.map(({ instanceUuid, host }) => `${instanceUuid} on ${host}`);
  const first = `${places.join(', ')}${placed > places.length ? ', …' : ''}`;
  const end = withoutHost === null ? '' : `; ${withoutHost} found no host`;
  return `Placed ${count(placed, 'instance')}: ${first}${end}.`;
}

/** What emptied the list, and how close the nearest hosts came. */
function emptySentence({ query, rejections }: PlacementRecord, misses: readonly NearestMiss[]): string {
  if (rejections === null) return `Placement has no candidate for ${query}.`;
  if (rejections.length === 0) return `Placement has no candidate for ${query}: there are no resource providers.`;
  const near = misses.map(
    ({ hosts, lack }) => `${count(hosts, 'host')} ${hosts === 1 ? 'lacks' : 'lack'} only ${lack}`,
  );
  const among = count(rejections.length, 'root provider');
  const told = `Placement has no candidate for ${query} among ${among} (${codesOf(rejections)})`;
  return `${[told, ...near].join('; ')}.`;
}

function rejectedSentence({ rejections }: PlacementRecord): string {
  if (rejections === null || rejections.length === 0) return '';
  return ` and rejected ${rejections.length} (${codesOf(rejections)})`;
}

/** Codes with their counts, the largest first. */
function codesOf(rejected: readonly { readonly code: string }[]): string {
  const counts = Object.entries(countByCode(rejected)).sort(([, one], [, other]) => other - one);
  return counts.map(([code, hosts]) => `${code} ${hosts}`).join(', ');
}

function stagesOf({ stages }: PassRecord): string[] {
  return stages
    .filter(({ rejected }) => rejected.length > 0)
    .map(
      ({ name, rejected, in: entered }) => `${name} rejected ${rejected.length} of ${entered} (${codesOf(rejected)})`,
    );
}

function claimsOf({ claims, claimCounts, ranking, ranked = ranking.length, selected }: PassRecord): string {
  if (ranked === 0) return 'no host was left';
  if (selected !== null) return '';
  const outcomes = Object.entries(claimCounts ?? countByCode(claims.map(({ outcome }) => ({ code: outcome }))));
  const told = outcomes.map(([outcome, tries]) => `${outcome} ${tries}`).join(', ');
  return `${count(ranked, 'host')} passed and none could be claimed (${told === '' ? 'no candidates' : told})`;
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

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
