// Claims and releases through the service behind PUT and DELETE /allocations. One transaction contains the claim, the
// new member of the server group and the placement record. Concurrent claims of one process share a transaction; if it
// is refused, each of them is made alone.
import { Inject, Injectable } from '@nestjs/common';
import { HostAggregatesService } from '../../compute/host-aggregates/host-aggregates.service';
import { InstancesService } from '../../compute/instances/instances.service';
import type { ConsumerWrite } from '../../placement/allocations/allocations.commands';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import { ClaimCounters, reasonOf } from '../../placement/allocations/claim-counters';
import { Database } from '../../platform/database/database';
import type { GroupEntry, GroupQueue } from '../../platform/database/group-queue';
import type { WriteTx } from '../../platform/database/sql';
import { tracing } from '../../platform/tracing/tracing';
import {
  AllocationRefused,
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  Unavailable,
  UnknownReference,
} from '../../platform/values/errors';
import { allocationSetOf } from '../adapters/local-consumers';
import type { ClaimBatch, ClaimRefusal, ClaimRequest, ConsumerStore } from '../ports';
import { CONSUMER_STORE } from '../ports';
import { BatchedClaims, placedInstanceOf } from './batched-claims';
import { ClaimBatches } from './claim-batches';
import { GroupPolicy, PolicyViolated } from './group-policy';

/** The claims of one transaction, each with the batch whose mark it gets. */
type Claim = readonly [request: ClaimRequest, batch: ClaimBatch];

@Injectable()
export class AllocationClaims extends BatchedClaims {
  private readonly queue: GroupQueue<Claim>;

  constructor(
    db: Database,
    @Inject(CONSUMER_STORE) consumers: ConsumerStore,
    instances: InstancesService,
    batches: ClaimBatches,
    private readonly allocations: AllocationsService,
    private readonly groups: GroupPolicy,
    private readonly aggregates: HostAggregatesService,
    private readonly counters: ClaimCounters,
  ) {
    super(db, consumers, instances, batches);
    const rules = {
      kindOf: () => 'claim',
      keysOf: ([{ consumerUuid }]: Claim) => [consumerUuid],
      // Rows of consumers and allocations, as in other groups.
      weightOf: ([{ allocations }]: Claim) =>
        Object.values(allocations).reduce((sum, { resources }) => sum + Object.keys(resources).length, 2),
    };
    this.queue = db.groups(rules, (entries) => this.claimEach(entries));
  }

  claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    return tracing.within('stage', 'claim', () => this.claimNow(requests, batch));
  }

  private async claimNow(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    const [only] = requests;
    try {
      if (only !== undefined && requests.length === 1 && canJoin(only, batch)) await this.queue.add([only, batch]);
      else await this.write(requests.map((request): Claim => [request, batch]));
      this.counters.granted.scheduler += requests.length;
      return 'claimed';
    } catch (error) {
      const reason = error instanceof PolicyViolated ? 'group_policy' : reasonOf(error);
      this.counters.refuse('scheduler', reason, requests.length);
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      return refusal;
    }
  }

  /** Together if all are granted, otherwise one after the other. */
  private async claimEach(entries: readonly GroupEntry<Claim>[]): Promise<void> {
    const since = entries[0]?.since;
    if (entries.length > 1) {
      try {
        await this.write(
          entries.map(({ member }) => member),
          since,
        );
        for (const entry of entries) entry.succeed();
        return;
      } catch (error) {
        // The transaction was possibly committed, or the database is unavailable.
        if (error instanceof Unavailable) throw error;
      }
    }
    for (const entry of entries) {
      await this.write([entry.member], since).then(
        () => entry.succeed(),
        (error: unknown) => entry.fail(error),
      );
    }
  }

  /** All in one transaction. */
  private async write(claims: readonly Claim[], since = performance.now()): Promise<void> {
    const requests = claims.map(([request]) => request);
    const writes = requests.flatMap(writesOf);
    const owners = await this.allocations.ensureOwners(writes);
    const nowMs = Date.now();
    const claimAll = async (tx: WriteTx): Promise<void> => {
      for (const batch of new Set(claims.map(([, each]) => each))) await this.batches.holdIn(tx, batch);
      await this.groups.joinIn(tx, requests, nowMs);
      await this.keepInZone(tx, requests);
      await this.allocations.replaceIn(tx, { writes, owners }, nowMs);
      const placed = claims.flatMap(([request, { uuid }]) => (isNew(request) ? placedInstanceOf(request, uuid) : []));
      if (placed.length > 0) await this.instances.insertPlacedIn(tx, placed, nowMs);
      for (const request of requests) await this.replaceIn(tx, request, nowMs);
    };
    await this.db.write(claimAll, { since });
  }

  /** The instances of one request named the same zone. */
  private async keepInZone(tx: WriteTx, requests: readonly ClaimRequest[]): Promise<void> {
    const zoned = requests.filter(({ zone }) => zone !== null);
    const zone = zoned[0]?.zone ?? null;
    if (zone !== null) await this.aggregates.keepInZone(tx, zone, [...new Set(zoned.map(({ host }) => host.host))]);
  }

  /** The record follows the claim. A missing record means that the instance was released in the meantime. */
  private async replaceIn(tx: WriteTx, request: ClaimRequest, nowMs: number): Promise<void> {
    const { replaces, existing, consumerUuid } = request;
    if (existing !== undefined && !(await this.instances.placeAgainIn(tx, placedInstanceOf(request), nowMs))) {
      throw new ConsumerGenerationConflict(consumerUuid, existing.generation, null);
    }
    if (replaces === undefined) return;
    const { before: source, move } = replaces;
    const how = { leaves: move === null, from: source.state };
    if (!(await this.instances.replacePlacedIn(tx, placedInstanceOf(request), nowMs, how))) {
      throw new ConsumerGenerationConflict(consumerUuid, replaces.generation, null);
    }
    if (move === null) return;
    const { migrationUuid, type } = move;
    const begun = { instanceUuid: consumerUuid, migrationUuid, type, source };
    if (!(await this.instances.beginMoveIn(tx, begun, nowMs))) {
      throw new ConsumerGenerationConflict(consumerUuid, replaces.generation, null);
    }
  }
}

const isNew = ({ replaces, existing }: ClaimRequest): boolean => replaces === undefined && existing === undefined;

/** Its consumer and its host are all that it locks. */
const canJoin = (request: ClaimRequest, { isOpen }: ClaimBatch): boolean =>
  isNew(request) && request.group === null && request.zone === null && !isOpen;

/** The allocations of the instance; for a move also its previous ones, for the migration's consumer. */
function writesOf({ replaces, existing, ...request }: ClaimRequest): readonly ConsumerWrite[] {
  const generation = (replaces ?? existing)?.generation ?? null;
  const owner = { projectId: request.projectId, userId: request.userId };
  const instance: ConsumerWrite = {
    ...owner,
    consumerUuid: request.consumerUuid,
    allocations: allocationSetOf(request.allocations),
    consumerType: 'INSTANCE',
    expectedGeneration: generation === null ? { kind: 'mustBeNew' } : { kind: 'expect', generation },
  };
  if (replaces === undefined || replaces.move === null) return [instance];
  const { migrationUuid, allocations } = replaces.move;
  const migration: ConsumerWrite = {
    ...owner,
    consumerUuid: migrationUuid,
    allocations: allocationSetOf(allocations),
    consumerType: 'MIGRATION',
    expectedGeneration: { kind: 'mustBeNew' },
  };
  return [instance, migration];
}

function refusalOf(error: unknown): ClaimRefusal | undefined {
  if (error instanceof PolicyViolated) {
    return { outcome: 'policy', message: error.message, groupHosts: error.groupHosts };
  }
  if (error instanceof ConsumerGenerationConflict) return { outcome: 'consumer_exists', message: error.message };
  if (error instanceof ConcurrentUpdate) return { outcome: 'conflict', message: error.message };
  // A deleted provider counts as one without capacity.
  if (error instanceof AllocationRefused || error instanceof UnknownReference) {
    return { outcome: 'no_capacity', message: error.message };
  }
  return undefined;
}
