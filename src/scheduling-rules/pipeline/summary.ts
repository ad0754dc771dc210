// Summarises a decision: counts by filter and code, one sentence for operators, and one for tenants that names neither
// hosts nor filters.

import type { RequestSpec } from '../request-spec/request-spec';
import { wantedTarget } from '../request-spec/target-host';
import type { ConditionSummary } from './condition-counts';
import type { DecisionEnd, DecisionSummary, PassRecord, PlacementRecord } from './decision';
import { REASONS_LISTED } from './limits';
import type { MinimalConflicts } from './minimal-conflicts';
import type { MissesFound } from './nearest-misses';
import type { PassTotals } from './pass-log';
import { howMany, reasonText, refusalSentence } from './refusal-sentence';
import type { RejectionReason } from './rejection-reasons';
import { filterReasons, placementReasons } from './rejection-reasons';
import { countByCode } from './run-filters';
import { userMessageOf } from './user-message';
import { PLAIN_WORDING } from './wording';

/** The inputs of the summary. */
interface SummaryInput extends Omit<DecisionEnd, 'nowMs'> {
  readonly placement: PlacementRecord | null;
  readonly passes: PassTotals;
  /** The kept passes of every phase. */
  readonly kept: readonly PassRecord[];
  readonly missesFound: MissesFound;
  readonly minimalConflicts: MinimalConflicts | null;
  readonly conditions: ConditionSummary | null;
  /** Null: the request was refused before it was parsed. */
  readonly request: RequestSpec | null;
}

interface GroupedReasons {
  readonly ofPlacement: readonly RejectionReason[];
  readonly ofFilters: readonly RejectionReason[];
}

/** A complete placement is described by its hosts; reasons for rejections are computed only if requested. */
export function summarise(input: SummaryInput): DecisionSummary {
  const { wording = PLAIN_WORDING, passes, kept } = input;
  const isPlaced = input.outcome === 'placed';
  const ofPlacement = isPlaced ? [] : placementReasons(input.placement?.rejections ?? [], wording);
  const selects = isPlaced ? [] : kept.filter(({ phase }) => phase === 'select');
  const counts = selects.length < passes.selects ? passes.rejected : undefined;
  const ofFilters = filterReasons(selects, wording, counts);
  return {
    rejected: { ...placementByCode(input.placement), ...input.passes.rejected },
    nearestMisses: input.missesFound.misses,
    minimalConflicts: input.minimalConflicts,
    conditions: isPlaced ? null : input.conditions,
    reasons: [...ofFilters, ...ofPlacement].slice(0, REASONS_LISTED).map(reasonText),
    sentence: sentenceOf(input, { ofPlacement, ofFilters }),
    userMessage: userMessageOf({
      code: input.code,
      request: input.request,
      hasSearched: input.placement !== null || passes.selects > 0,
      conditions: input.conditions,
      placed: passes.placed,
      wording,
    }),
  };
}

function placementByCode(placement: PlacementRecord | null): Readonly<Record<string, number>> {
  const counts = Object.entries(countByCode(placement?.rejections ?? []));
  return Object.fromEntries(counts.map(([code, hosts]) => [`placement.${code}`, hosts]));
}

function sentenceOf(input: SummaryInput, { ofPlacement, ofFilters }: GroupedReasons): string {
  const { outcome, reason, placement, passes, kept } = input;
  const { misses: nearestMisses, withRoom } = input.missesFound;
  if (outcome === 'placed') return placedSentence(passes, input.request?.instanceUuids.length ?? passes.placed);
  const isBefore = placement === null && passes.selects === 0;
  if (isBefore || outcome !== 'no_valid_host') return reason ?? 'The request was refused.';
  const { conditions, code, request, wording = PLAIN_WORDING } = input;
  const target = request && wantedTarget(request);
  const sentence = refusalSentence({
    placement,
    hosts: placement?.hosts ?? kept[0]?.stages[0]?.in ?? 0,
    placed: passes.placed,
    last: passes.last,
    instances: request?.instanceUuids.length ?? passes.selects,
    minCount: request?.minCount ?? passes.selects,
    target: target && (target.host ?? target.node),
    isClaimLost: code === 'scheduler.claims_lost',
    ofPlacement,
    ofFilters,
    nearestMisses,
    withRoom,
    conditions,
    wording,
  });
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** A partial placement can succeed; then the last instance found no host. */
function placedSentence({ placed, firstPlaced, withoutHost }: PassTotals, instances: number): string {
  const places = firstPlaced.map(({ instanceUuid, host }) => `${instanceUuid} on ${host}`);
  const first = `${places.join(', ')}${placed > places.length ? ', …' : ''}`;
  const end = withoutHost === null ? '' : `; ${withoutHost} found no host`;
  const number = placed < instances ? `${placed} of ` : '';
  return `Placed ${number}${howMany(instances, 'instance')}: ${first}${end}.`;
}
