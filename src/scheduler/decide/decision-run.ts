// What a decision gets, what it carries from the request to its end, and what it results in.

import type { WriteTx } from '../../platform/database/sql';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { UnknownHost } from '../../scheduling-rules/host-state/states-of-candidates';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import type { FilterEnvironment } from '../../scheduling-rules/pipeline/define-filter';
import type { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import type { IgnoredField, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { Placement } from '../claim/placement';
import type { CandidateAnswer, ClaimedHost, FoundReferences, Replacement, SchedulerCaller } from '../ports';
import type { SelectDestinationsDto } from '../request/request.schema';
import type { PlacementSearch, SearchPlan } from './placement-search';
import type { SchedulingRefusal } from './refused';

export interface DecideCommand {
  readonly body: SelectDestinationsDto;
  readonly requestId: string;
  /** Makes no claims; the answer equals that of the real call. */
  readonly dryRun: boolean;
  /** `all` applies every filter to every host. Default: `first`. */
  readonly mode?: 'first' | 'all';
  /** Whether to explain why Placement did not return the other hosts; costs a check of every root. */
  readonly explains: SearchPlan['explains'];
  /** Default: false. */
  readonly returnAlternates?: boolean;
  /** Default: a new seed. */
  readonly seed?: number | undefined;
  /** For an instance that is placed again: the number of attempts, and the hosts tried. */
  readonly attempts?: number;
  readonly tried?: readonly ClaimedHost[];
  readonly replaces?: Replacement | undefined;
  /** Conditions of the caller's own request that `body` does not contain. */
  readonly alsoIgnored?: readonly IgnoredField[];
  /** An inline server group with a uuid is registered elsewhere: its policy holds when the claims commit. */
  readonly locksInlineGroup?: boolean;
  /**
   * The caller's write for the placed instances, in the transaction that finishes their claims. If this process dies
   * before it, another process undoes the claims.
   */
  readonly conclude?: (tx: WriteTx, placed: readonly string[]) => Promise<void>;
  /** If the caller disconnects, its claims are released if possible. Default: no caller. */
  readonly caller?: SchedulerCaller;
}

/** The result, with the decision in either case. */
export interface Decided {
  readonly decision: Decision;
  readonly placements: readonly Placement[];
  readonly refusal: SchedulingRefusal | null;
}

/** What one try of a decision carries. */
export interface DecisionRun {
  readonly command: DecideCommand;
  readonly pipeline: SchedulerPipeline;
  readonly recorder: DecisionRecorder;
  readonly seed: number;
  readonly env: FilterEnvironment;
  /** The registry objects that the request names. */
  readonly found: FoundReferences;
  /** Another try follows if claims are lost. */
  readonly isRepeatable: boolean;
  /** The kept hosts of request classes can answer. */
  readonly usesClasses: boolean;
  /** New uuids, of instances that the request only counts for example; the same in every try. */
  readonly uuids: string[];
}

/** The answer of Placement to a request, and its hosts. */
export interface FoundHosts {
  readonly spec: RequestSpec;
  readonly search: PlacementSearch;
  readonly plan: SearchPlan;
  readonly answer: CandidateAnswer;
  readonly states: readonly HostState[];
  readonly unknown: readonly UnknownHost[];
}
