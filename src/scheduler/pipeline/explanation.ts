// Gathers the decision while it is made. It is the pipeline's result, not its log.

import type { IgnoredField, RequestSpec } from '../request/request-spec';
import type { Decision, DecisionEnd, HostName, PassRecord, PlacementRecord } from './decision';
import type { NearestMiss } from './nearest-misses';
import type { PrefilterRecord } from './run-prefilters';
import { summarise } from './summary';

/** Gathers a decision while it is made; `close` gives the document, whatever happened until then. */
export class DecisionRecorder {
  private request: RequestSpec | null = null;
  private ignored: readonly IgnoredField[] = [];
  private prefilters: readonly PrefilterRecord[] = [];
  private placement: PlacementRecord | null = null;
  private nearestMisses: readonly NearestMiss[] = [];
  private readonly passes: PassRecord[] = [];

  constructor(
    private readonly start: {
      readonly requestId: string;
      readonly startedMs: number;
      readonly seed: number;
      readonly driver: string;
    },
  ) {}

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

  missed(nearestMisses: readonly NearestMiss[]): void {
    this.nearestMisses = nearestMisses;
  }

  passed(pass: PassRecord): void {
    this.passes.push(pass);
  }

  /** Alternates are known after the pass they belong to. */
  offered(instanceUuid: string, alternates: readonly HostName[]): void {
    const at = this.passes.findIndex((pass) => pass.phase === 'select' && pass.instanceUuid === instanceUuid);
    const pass = this.passes[at];
    if (pass !== undefined) this.passes[at] = { ...pass, alternates };
  }

  close(end: DecisionEnd): Decision {
    const { requestId, startedMs, seed, driver } = this.start;
    const parts = {
      prefilters: this.prefilters,
      placement: this.placement,
      passes: [...this.passes],
    };
    return {
      requestId,
      at: new Date(startedMs).toISOString(),
      durationMs: Math.max(0, end.nowMs - startedMs),
      outcome: end.outcome,
      code: end.code,
      seed,
      driver,
      request: this.request,
      ignored: this.ignored,
      ...parts,
      summary: summarise({ ...parts, ...end, nearestMisses: this.nearestMisses }),
    };
  }
}
