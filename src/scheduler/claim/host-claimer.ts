// Claims one host for one instance: its candidates in order, each a bounded number of times while others write to the
// same providers. A host is given up only after all of its candidates failed, the further ones it is asked for included.

import type { HostState } from '../host-state/host-state';
import type { ClaimRecord } from '../pipeline/decision';
import { CLAIM_PAUSE_STEP_MS, MAX_CLAIM_TRIES } from '../pipeline/limits';
import type { RemainingCapacity } from '../pipeline/remaining-capacity';
import type { Claims, SchedulerEnvironment } from '../ports';
import type { Candidate } from '../request/candidate';

export interface ClaimingOf {
  readonly projectId: string;
  readonly userId: string;
  /** Candidates of one host asked at first; as many mean there may be more. */
  readonly candidatesPerHost: number;
  /** The host's further candidates. */
  readonly furtherCandidates: (host: HostState) => Promise<readonly Candidate[]>;
}

export interface HostClaim {
  /** The candidate that was claimed, or null. */
  readonly candidate: Candidate | null;
  readonly records: readonly ClaimRecord[];
  /** The instance has allocations already, so no other host can help. */
  readonly consumerExists: boolean;
}

type Tried = Pick<ClaimRecord, 'outcome' | 'attempts' | 'message'>;

/** Claims for one request. Without `claims` it is a dry run: what still fits counts as claimed, nothing is written. */
export class HostClaimer {
  /** Instances claimed so far, for undoing. */
  readonly claimed: string[] = [];
  private readonly asked = new Map<string, readonly Candidate[]>();

  constructor(
    private readonly claims: Claims | null,
    private readonly env: Pick<SchedulerEnvironment, 'jitter' | 'sleep'>,
    private readonly room: RemainingCapacity,
    private readonly request: ClaimingOf,
  ) {}

  /** The first candidate that can be claimed is; every candidate tried is in the records. */
  async claim(host: HostState, instanceUuid: string): Promise<HostClaim> {
    const first = await this.claimOneOf(host, { instanceUuid, candidates: host.candidates, from: 0 });
    const isOver = first.candidate !== null || first.consumerExists;
    if (isOver || host.candidates.length < this.request.candidatesPerHost) return first;
    const candidates = await this.furtherOf(host);
    const second = await this.claimOneOf(host, { instanceUuid, candidates, from: host.candidates.length });
    return { ...second, records: [...first.records, ...second.records] };
  }

  /** The first candidate that still fits by what this request knows, for offers that claim nothing. */
  offer(host: HostState): Candidate | null {
    const known = [...host.candidates, ...(this.asked.get(host.uuid) ?? [])];
    return known.find((candidate) => this.room.fits(candidate)) ?? null;
  }

  private async claimOneOf(
    { host, node }: HostState,
    what: { readonly instanceUuid: string; readonly candidates: readonly Candidate[]; readonly from: number },
  ): Promise<HostClaim> {
    const records: ClaimRecord[] = [];
    for (const [at, candidate] of what.candidates.entries()) {
      const tried = await this.tryCandidate(candidate, what.instanceUuid);
      records.push({ host, node, candidate: what.from + at, ...tried });
      if (tried.outcome === 'consumer_exists') return { candidate: null, records, consumerExists: true };
      if (tried.outcome !== 'claimed') continue;
      this.room.charge(candidate);
      return { candidate, records, consumerExists: false };
    }
    return { candidate: null, records, consumerExists: false };
  }

  private async tryCandidate(candidate: Candidate, instanceUuid: string): Promise<Tried> {
    if (!this.room.fits(candidate)) {
      const message = 'earlier instances of this request took the room';
      return { outcome: 'no_capacity', attempts: 0, message };
    }
    if (this.claims === null) return { outcome: 'claimed', attempts: 0, message: 'dry run, nothing was written' };
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.claims.claim(this.claimOf(candidate, instanceUuid));
      if (answer === 'claimed') {
        this.claimed.push(instanceUuid);
        return { outcome: 'claimed', attempts, message: null };
      }
      if (answer.outcome !== 'conflict' || attempts >= MAX_CLAIM_TRIES) return { ...answer, attempts };
      await this.env.sleep(Math.floor(this.env.jitter() * attempts * CLAIM_PAUSE_STEP_MS));
    }
  }

  private claimOf({ allocations, mappings }: Candidate, consumerUuid: string): Parameters<Claims['claim']>[0] {
    const { projectId, userId } = this.request;
    return {
      consumerUuid,
      allocations,
      mappings,
      projectId,
      userId,
      consumerType: 'INSTANCE',
      consumerGeneration: null,
    };
  }

  /** Asked once per host and request; candidates seen before are left out. */
  private async furtherOf(host: HostState): Promise<readonly Candidate[]> {
    const known = this.asked.get(host.uuid);
    if (known !== undefined) return known;
    const seen = new Set(host.candidates.map(keyOf));
    const further = (await this.request.furtherCandidates(host)).filter((candidate) => !seen.has(keyOf(candidate)));
    this.asked.set(host.uuid, further);
    return further;
  }
}

/** Two candidates are the same when they take the same amounts from the same providers. */
function keyOf({ allocations }: Candidate): string {
  const takes = Object.entries(allocations).flatMap(([provider, { resources }]) =>
    Object.entries(resources).map(([resourceClass, amount]) => `${provider} ${resourceClass} ${amount}`),
  );
  return takes.sort().join('\n');
}
