// The decision as data: the request, the hosts that each stage passed and why it rejected others, the claims and
// results. Counts are exact and lists complete here; the presenter truncates lists.

import type { JudgedHost, Refusal, Wording } from '../../placement/candidate-search';
import type { IgnoredField, RequestSpec } from '../request-spec/request-spec';
import type { HostNote, StageRecord } from './run-filters';
import type { PrefilterRecord } from './run-prefilters';
import type { HostWeight, WeigherRecord } from './run-weighers';

export const OUTCOMES = ['placed', 'no_valid_host', 'refused', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface HostName {
  readonly host: string;
  readonly node: string;
}

/** `host_unavailable`: the compute service stopped after the filters, so no claim was sent. */
export const CLAIM_OUTCOMES = [
  'claimed',
  'no_capacity',
  'conflict',
  'consumer_exists',
  'policy',
  'host_unavailable',
] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** One attempted candidate of one host. `attempts` is 0 if no claim was sent. */
export interface ClaimRecord extends HostName {
  /** Position among the host's candidates. */
  readonly candidate: number;
  readonly outcome: ClaimOutcome;
  readonly attempts: number;
  readonly message: string | null;
}

/** One run of the pipeline. `select` places an instance, `alternates` only orders hosts. */
export interface PassRecord {
  readonly index: number;
  readonly instanceUuid: string;
  readonly phase: 'select' | 'alternates';
  readonly stages: readonly StageRecord[];
  /** Noteworthy passes. */
  readonly notes: readonly HostNote[];
  readonly weighers: readonly WeigherRecord[];
  /** Hosts that no stage rejected, in the order of the attempts. */
  readonly ranking: readonly HostWeight[];
  /** Their number, if the list was truncated. */
  readonly ranked?: number;
  readonly drawnFrom: number;
  readonly claims: readonly ClaimRecord[];
  /** Claims by outcome, if the list was truncated. */
  readonly claimCounts?: Readonly<Record<string, number>>;
  readonly selected: HostName | null;
  readonly alternates: readonly HostName[];
}

export interface PlacementRecord {
  readonly query: string;
  readonly microversion: string;
  readonly candidates: number;
  readonly hosts: number;
  /** Number of hosts beyond the limit; null if the answer was truncated without a count. */
  readonly notConsidered: number | null;
  readonly truncated: boolean;
  /** The search reached its work limit: fitting hosts can be missing. */
  readonly gaveUp: boolean;
  /** The second query, for hosts without pinned CPUs; null if none was sent. */
  readonly fallback: { readonly query: string; readonly candidates: number; readonly hosts: number } | null;
  /** The hosts without a candidate; null if reasons were not requested. */
  readonly rejections: readonly JudgedHost[] | null;
}

export interface Decision {
  /** The words of Placement's reasons. */
  readonly wording: Wording;
  readonly requestId: string;
  readonly at: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** The code of the refusal; null if placed. */
  readonly code: string | null;
  readonly seed: number;
  readonly driver: string;
  /** Identifies the configuration of the decision. */
  readonly configRevision: string;
  /** The parsed request; null if it was refused before. */
  readonly request: RequestSpec | null;
  readonly ignored: readonly IgnoredField[];
  readonly prefilters: readonly PrefilterRecord[];
  readonly placement: PlacementRecord | null;
  /** For a large batch, the first passes and the last. */
  readonly passes: readonly PassRecord[];
  /** Total number of passes. */
  readonly passesMade: number;
  /** Names of the hosts that were chosen or tried. */
  readonly hostsTried: readonly string[];
  /** Names of the chosen hosts without duplicates, in the order of the instances. */
  readonly hostsChosen: readonly string[];
  readonly summary: DecisionSummary;
}

/** The end of a decision. `reason` explains a refusal to an operator. */
export interface DecisionEnd {
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly reason: string | null;
  readonly nowMs: number;
  /** Wording of a refusal; by default without names and origins. */
  readonly wording?: Wording | undefined;
}

export interface DecisionSummary {
  /** Hosts by `placement.code` and by `filter.code` over all passes that placed or tried to place an instance. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Why no host fits; null if nothing was refused, or no host was judged. */
  readonly refusal: Refusal | null;
  readonly sentence: string;
  readonly userMessage: string;
}
