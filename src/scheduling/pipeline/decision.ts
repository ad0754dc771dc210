// The decision as data: what was asked, what each stage let through and why not the rest, what was tried and taken.
// Counts are exact and lists complete here; the presenter cuts lists.

import type { Rejection } from '../../candidate-search';
import type { IgnoredField, RequestSpec } from '../request/request-spec';
import type { MinimalConflicts } from './minimal-conflicts';
import type { NearestMiss } from './nearest-misses';
import type { HostNote, StageRecord } from './run-filters';
import type { PrefilterRecord } from './run-prefilters';
import type { HostWeight, WeigherRecord } from './run-weighers';
import type { Wording } from './wording';

export const OUTCOMES = ['placed', 'no_valid_host', 'refused', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface HostName {
  readonly host: string;
  readonly node: string;
}

export const CLAIM_OUTCOMES = ['claimed', 'no_capacity', 'conflict', 'consumer_exists', 'policy'] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** One candidate of one host that was tried. `attempts` is 0 where nobody was asked. */
export interface ClaimRecord extends HostName {
  /** Position among the host's candidates. */
  readonly candidate: number;
  readonly outcome: ClaimOutcome;
  readonly attempts: number;
  readonly message: string | null;
}

/** One round of the pipeline. `select` places an instance, `alternates` only orders hosts. */
export interface PassRecord {
  readonly index: number;
  readonly instanceUuid: string;
  readonly phase: 'select' | 'alternates';
  readonly stages: readonly StageRecord[];
  /** Passes worth telling. */
  readonly notes: readonly HostNote[];
  readonly weighers: readonly WeigherRecord[];
  /** Hosts no stage rejected, in the order they are tried. */
  readonly ranking: readonly HostWeight[];
  /** How many those are; the list may have been cut. */
  readonly ranked?: number;
  readonly drawnFrom: number;
  readonly claims: readonly ClaimRecord[];
  /** Tries by outcome, where the list was cut. */
  readonly claimCounts?: Readonly<Record<string, number>>;
  readonly selected: HostName | null;
  readonly alternates: readonly HostName[];
}

export interface PlacementRecord {
  readonly query: string;
  readonly microversion: string;
  readonly candidates: number;
  readonly hosts: number;
  /** Hosts beyond the bound; null where the answer was cut and nobody counted. */
  readonly notConsidered: number | null;
  readonly truncated: boolean;
  /** The search was too much work to be finished: hosts that fit may be missing. */
  readonly gaveUp: boolean;
  /** The second query, for hosts that know no pinned CPUs; null where none was sent. */
  readonly fallback: { readonly query: string; readonly candidates: number; readonly hosts: number } | null;
  /** Every root that was not returned and is not beyond the bound; null where nobody asked for reasons. */
  readonly rejections: readonly Rejection[] | null;
}

export interface Decision {
  /** Names of the host aggregates that placement's reasons speak of, by uuid. */
  readonly names: ReadonlyMap<string, string>;
  readonly requestId: string;
  readonly at: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** The code of the refusal; null when placed. */
  readonly code: string | null;
  readonly seed: number;
  readonly driver: string;
  /** Tells the configuration it was made with from another one. */
  readonly configRevision: string;
  /** The request as understood; null when it was refused before. */
  readonly request: RequestSpec | null;
  readonly ignored: readonly IgnoredField[];
  readonly prefilters: readonly PrefilterRecord[];
  readonly placement: PlacementRecord | null;
  /** Of a large batch the first ones, and the last. */
  readonly passes: readonly PassRecord[];
  /** How many there were. */
  readonly passesMade: number;
  /** Names of the hosts that were chosen or tried. */
  readonly hostsTried: readonly string[];
  /** Names of the hosts that were chosen, each once, in the order of the instances. */
  readonly hostsChosen: readonly string[];
  readonly summary: DecisionSummary;
}

/** How a decision ends. `reason` explains a refusal to an operator. */
export interface DecisionEnd {
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly reason: string | null;
  readonly nowMs: number;
  /** How a refusal is told; default: by what the decision says itself. */
  readonly wording?: Wording | undefined;
}

export interface DecisionSummary {
  /** Hosts by `placement.code` and by `filter.code` over all passes that placed or tried to place an instance. */
  readonly rejected: Readonly<Record<string, number>>;
  /** Hosts to which one thing is missing; looked for when placement returned none. */
  readonly nearestMisses: readonly NearestMiss[];
  /** Smallest sets of conditions without which there would be candidates; null where nobody looked. */
  readonly minimalConflicts: MinimalConflicts | null;
  /** Of a refusal: so many hosts, and why, filters before placement. */
  readonly reasons: readonly string[];
  readonly sentence: string;
  readonly userMessage: string;
}
