// Records the decision while it is made. The record is the pipeline's result, not its log.

import type { JudgedHost, Refusal } from '../../placement/candidate-search';
import { PLAIN_WORDING } from '../../placement/candidate-search';
import { extraSpec, extraSpecField, imagePropertyField, UNCHECKED_PINNING } from '../numa/cpu-policy';
import type { IgnoredField, RequestSpec } from '../request-spec/request-spec';
import type { Decision, DecisionEnd, HostName, PassRecord, PlacementRecord } from './decision';
import { PassLog } from './pass-log';
import type { PrefilterRecord } from './run-prefilters';
import { summarise } from './summary';

/** The facts recorded so far. */
export interface DecisionFacts {
  readonly request: RequestSpec | null;
  readonly prefilters: readonly PrefilterRecord[];
  readonly placement: PlacementRecord | null;
  /** The kept passes: for a large batch the first ones and the last. */
  readonly passes: readonly PassRecord[];
}

const NUMA_FILTER = 'NUMATopologyFilter';

/** Records a decision while it is made; `close` returns the document, even after a failure. */
export class DecisionRecorder {
  private request: RequestSpec | null = null;
  private ignored: readonly IgnoredField[] = [];
  private prefilters: readonly PrefilterRecord[] = [];
  private placement: PlacementRecord | null = null;
  private refusal: Refusal | null = null;
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

  /** Why no host fits. */
  refused(refusal: Refusal): void {
    this.refusal = refusal;
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

  /** Placement's reasons for the hosts that it did not return; `beyond`: hosts that it would return as well. */
  judged(rejections: readonly JudgedHost[], beyond: number | null): void {
    const { placement } = this;
    if (placement === null) return;
    this.placement = { ...placement, rejections, notConsidered: placement.notConsidered ?? beyond };
  }

  close(end: DecisionEnd): Decision {
    const { requestId, startedMs, seed, driver, configRevision } = this.start;
    const parts = {
      prefilters: this.prefilters,
      placement: this.placement,
    };
    return {
      wording: end.wording ?? PLAIN_WORDING,
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
        request: this.request,
        refusal: this.refusal,
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
