// Records the decision while it is made. The record is the pipeline's result, not its log.

import { extraSpec, extraSpecField, imagePropertyField, UNCHECKED_PINNING } from '../numa/cpu-policy';
import type { IgnoredField, RequestSpec } from '../request-spec/request-spec';
import type { ConditionSummary } from './condition-counts';
import type { Decision, DecisionEnd, HostName, PassRecord, PlacementRecord } from './decision';
import type { MinimalConflicts } from './minimal-conflicts';
import type { MissesFound } from './nearest-misses';
import { PassLog } from './pass-log';
import type { PrefilterRecord } from './run-prefilters';
import { summarise } from './summary';
import type { Wording } from './wording';

/** The facts recorded so far. */
export interface DecisionFacts {
  readonly request: RequestSpec | null;
  readonly prefilters: readonly PrefilterRecord[];
  readonly placement: PlacementRecord | null;
  /** The kept passes: for a large batch the first ones and the last. */
  readonly passes: readonly PassRecord[];
}

const NUMA_FILTER = 'NUMATopologyFilter';

const NO_MISSES: MissesFound = { misses: [], withRoom: new Map() };

/** Records a decision while it is made; `close` returns the document, even after a failure. */
export class DecisionRecorder {
  private request: RequestSpec | null = null;
  private ignored: readonly IgnoredField[] = [];
  private prefilters: readonly PrefilterRecord[] = [];
  private placement: PlacementRecord | null = null;
  private missesFound: MissesFound = NO_MISSES;
  private minimalConflicts: MinimalConflicts | null = null;
  private conditions: ConditionSummary | null = null;
  private readonly passes = new PassLog();

  constructor(
    private readonly start: {
      readonly requestId: string;
      readonly startedMs: number;
      readonly seed: number;
      readonly driver: string;
      readonly configRevision: string;
    },
  ) {}

  get facts(): DecisionFacts {
    const { request, prefilters, placement, passes } = this;
    return { request, prefilters, placement, passes: passes.kept };
  }

  /** Further ignored fields, found later. */
  alsoIgnored(ignored: readonly IgnoredField[]): void {
    this.ignored = [...this.ignored, ...ignored];
  }

  understood(request: RequestSpec, ignored: readonly IgnoredField[]): void {
    this.request = request;
    this.ignored = ignored;
  }

  prefiltered(records: readonly PrefilterRecord[]): void {
    this.prefilters = records;
  }

  searched(placement: PlacementRecord): void {
    this.placement = placement;
  }

  missed(found: Partial<MissesFound>, minimalConflicts: MinimalConflicts | null = null): void {
    this.missesFound = { ...NO_MISSES, ...found };
    this.minimalConflicts = minimalConflicts;
  }

  /** The hosts of a refusal by the conditions that they fail. */
  counted(conditions: ConditionSummary): void {
    this.conditions = conditions;
  }

  /** The truncated pass, if `ahead` other passes that are not recorded yet precede it. */
  cut(pass: PassRecord, ahead: number): PassRecord {
    return this.passes.cut(pass, ahead);
  }

  passed(pass: PassRecord): void {
    this.passes.add(pass);
  }

  /** Alternates are determined after their pass. */
  offered(instanceUuid: string, alternates: readonly HostName[]): void {
    this.passes.offered(instanceUuid, alternates);
  }

  /** Placement's reasons for other hosts, determined after it returned some. */
  alsoRejected(rejections: PlacementRecord['rejections']): void {
    this.placement &&= { ...this.placement, rejections };
  }

  close(end: DecisionEnd): Decision {
    const { requestId, startedMs, seed, driver, configRevision } = this.start;
    const parts = {
      prefilters: this.prefilters,
      placement: this.placement,
    };
    return {
      names: namesOf(this.facts, end.wording),
      requestId,
      at: new Date(startedMs).toISOString(),
      durationMs: Math.max(0, end.nowMs - startedMs),
      outcome: end.outcome,
      code: end.code,
      seed,
      driver,
      configRevision,
      request: this.request,
      ignored: [...this.ignored, ...sharedCpus(this.facts)],
      ...parts,
      passes: this.passes.kept,
      passesMade: this.passes.made,
      hostsTried: this.passes.hostsTried,
      hostsChosen: this.passes.hostsChosen,
      summary: summarise({
        ...parts,
        ...end,
        passes: this.passes.totals,
        kept: this.passes.kept,
        request: this.request,
        missesFound: this.missesFound,
        minimalConflicts: this.minimalConflicts,
        conditions: this.conditions,
      }),
    };
  }
}

/** The hosts have shared CPUs only, although the request asks for dedicated ones, and no filter was enabled that checks it. */
function sharedCpus({ request, placement, passes }: DecisionFacts): readonly IgnoredField[] {
  const { fallback, candidates } = placement ?? {};
  if (!fallback || fallback.candidates === 0 || fallback.candidates !== candidates) return [];
  if (request === null || passes.some(({ stages }) => stages.some(({ name }) => name === NUMA_FILTER))) return [];
  const isOfFlavor = extraSpec(request.flavor, 'hw:cpu_policy') !== null;
  const field = isOfFlavor ? extraSpecField('hw:cpu_policy') : imagePropertyField('hw_cpu_policy');
  return [{ field, why: UNCHECKED_PINNING }];
}

/** Names of the host aggregates in the conditions of a decision, if it shows Placement's reasons. */
function namesOf({ request, prefilters, placement }: DecisionFacts, wording: Wording | undefined): Decision['names'] {
  if (wording === undefined || placement === null || placement.rejections === null) return new Map();
  const { aggregates = [], forbiddenAggregates = [] } = request?.requestedDestination ?? {};
  const groups = request?.requestedResources ?? [];
  const uuids = [
    ...[
      ...aggregates,
      ...prefilters.flatMap(({ added }) => added.memberOf),
      ...groups.flatMap((group) => group.memberOf),
    ].flat(),
    ...[
      forbiddenAggregates,
      ...[...prefilters.map(({ added }) => added), ...groups].map((each) => each.forbiddenAggregates),
    ].flat(),
  ];
  return new Map(
    uuids.flatMap((uuid) => {
      const name = wording.nameOf(uuid);
      return name === undefined ? [] : [[uuid, name] as const];
    }),
  );
}
