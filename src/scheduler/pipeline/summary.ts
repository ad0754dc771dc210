// A decision in a few words: counts by filter and code, one sentence for an operator, one that is safe for a tenant
// because it names neither hosts nor filters.

import type { DecisionEnd, DecisionSummary, PassRecord, PlacementRecord } from './decision';
import { countByCode } from './run-filters';

/** What the summary is made of. */
export interface SummaryInput extends Omit<DecisionEnd, 'nowMs'> {
  readonly placement: PlacementRecord | null;
  readonly passes: readonly PassRecord[];
}

export function summarise(input: SummaryInput): DecisionSummary {
  const selects = input.passes.filter(({ phase }) => phase === 'select');
  const rejected = rejectedByCode(selects);
  return { rejected, sentence: sentenceOf(input, selects), userMessage: userMessageOf(input.code) };
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

function sentenceOf({ outcome, reason, placement }: SummaryInput, passes: readonly PassRecord[]): string {
  if (outcome === 'placed') {
    const places = passes.map(({ instanceUuid, selected }) => `${instanceUuid} on ${selected?.host ?? 'no host'}`);
    return `Placed ${count(places.length, 'instance')}: ${places.slice(0, 10).join(', ')}${places.length > 10 ? ', …' : ''}.`;
  }
  if (placement === null) return reason ?? 'The request was refused.';
  if (placement.hosts === 0) return `Placement has no candidate for ${placement.query}.`;
  const last = passes.at(-1);
  const parts = [
    `Placement returned ${count(placement.hosts, 'host')}`,
    ...(last === undefined ? [] : [...stagesOf(last), claimsOf(last)]),
    ...(passes.length > 1 ? [`${count(passes.length - 1, 'instance')} of the batch had found a host before`] : []),
    ...(last === undefined && reason !== null ? [reason] : []),
  ];
  return `${parts.filter((part) => part !== '').join('; ')}.`;
}

function stagesOf({ stages }: PassRecord): string[] {
  return stages
    .filter(({ rejected }) => rejected.length > 0)
    .map(({ name, rejected, in: entered }) => {
      const codes = Object.entries(countByCode(rejected)).map(([code, hosts]) => `${code} ${hosts}`);
      return `${name} rejected ${rejected.length} of ${entered} (${codes.join(', ')})`;
    });
}

function claimsOf({ claims, ranking, selected }: PassRecord): string {
  if (ranking.length === 0) return 'no host was left';
  if (selected !== null) return '';
  const outcomes = Object.entries(countByCode(claims.map(({ outcome }) => ({ code: outcome }))));
  const told = outcomes.map(([outcome, tries]) => `${outcome} ${tries}`).join(', ');
  return `${count(ranking.length, 'host')} passed and none could be claimed (${told === '' ? 'no candidates' : told})`;
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
