// Claims and releases through the service behind PUT and DELETE /allocations. One transaction contains the claim, the
// new member of the server group and the placement record.
import { Injectable } from '@nestjs/common';
import { HostAggregatesService } from '../../compute/host-aggregates/host-aggregates.service';
import type { InstanceRecord, PlacedInstance } from '../../compute/instances/instance.entity';
import { InstancesService } from '../../compute/instances/instances.service';
import type { ConsumerWrite } from '../../placement/allocations/allocations.commands';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import { ClaimCounters, reasonOf } from '../../placement/allocations/claim-counters';
import type { ConsumerRoot } from '../../placement/allocations/consumers-of-trees.loader';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { tracing } from '../../platform/tracing/tracing';
import {
  AllocationRefused,
  ConcurrentUpdate,
  ConsumerGenerationConflict,
  UnknownReference,
} from '../../platform/values/errors';
import { allocationSetOf, allocationsOf } from '../adapters/local-consumers';
import type {
  AlternatesOffer,
  ClaimBatch,
  ClaimRefusal,
  ClaimRequest,
  Claims,
  Conclusion,
  HeldInstance,
} from '../ports';
import { ClaimBatches } from './claim-batches';
import { GroupPolicy, PolicyViolated } from './group-policy';

@Injectable()
export class AllocationClaims implements Claims {
  constructor(
    private readonly db: Database,
    private readonly allocations: AllocationsService,
    private readonly instances: InstancesService,
    private readonly groups: GroupPolicy,
    private readonly aggregates: HostAggregatesService,
    private readonly batches: ClaimBatches,
    private readonly counters: ClaimCounters,
  ) {}

  open(batch: ClaimBatch): Promise<void> {
    return this.batches.open(batch);
  }

  async held(instanceUuid: string): Promise<HeldInstance | undefined> {
    // The generation check covers everything that is read after this.
    const currentAllocations = await this.allocations.ofConsumer(instanceUuid);
    if (currentAllocations === undefined) return undefined;
    const [record, roots = []] = await this.db.read(async (sql) => [
      (await this.instances.find(sql, [instanceUuid])).get(instanceUuid),
      (await this.allocations.rootsOfConsumers(sql, [instanceUuid])).get(instanceUuid),
    ]);
    return {
      generation: currentAllocations.generation,
      allocations: allocationsOf(currentAllocations),
      placed: record !== undefined && isThere(record, roots) ? placedOf(record) : null,
    };
  }

  claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    return tracing.within('stage', 'claim', () => this.claimNow(requests, batch));
  }

  private async claimNow(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal> {
    const writes = requests.flatMap(writesOf);
    try {
      const owners = await this.allocations.ensureOwners(writes);
      const nowMs = Date.now();
      await this.db.write(async (tx) => {
        await this.batches.holdIn(tx, batch);
        await this.groups.joinIn(tx, requests, nowMs);
        await this.keepInZone(tx, requests);
        await this.allocations.replaceIn(tx, { writes, owners }, nowMs);
        const fresh = requests.filter(({ replaces, existing }) => replaces === undefined && existing === undefined);
        const placed = fresh.map((request) => placedInstanceOf(request, batch.uuid));
        if (placed.length > 0) await this.instances.insertPlacedIn(tx, placed, nowMs);
        for (const request of requests) await this.replaceIn(tx, request, nowMs);
      });
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

  /** Releases everything with the batch's mark, including claims whose response was lost. */
  release(batch: ClaimBatch): Promise<void> {
    return this.batches.undo(batch);
  }

  async finish(offers: readonly AlternatesOffer[], batch: ClaimBatch, conclude?: Conclusion): Promise<void> {
    if (!batch.isOpen && offers.length === 0) return;
    await this.db.write(async (tx) => {
      await this.batches.closeIn(tx, batch);
      await this.instances.rememberAlternatesIn(tx, offers);
      await conclude?.(tx);
    });
    this.batches.forget(batch);
  }
}

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

export const placedOf = ({ host, state }: InstanceRecord): NonNullable<HeldInstance['placed']> => ({
  host,
  isMoving: state === 'moving',
});

/** False if a client of the Placement API moved the allocations to another host since the record was written. */
export const isThere = ({ hostUuid, state }: InstanceRecord, roots: readonly ConsumerRoot[]): boolean =>
  state === 'moving' || roots.some(({ uuid }) => uuid === hostUuid);

/** The placement record of a claim. */
export function placedInstanceOf(request: ClaimRequest, batchUuid: ClaimBatch['uuid'] | null = null): PlacedInstance {
  const { record, placement, group, host } = request;
  return {
    host: host.host,
    node: host.node,
    hostUuid: host.uuid,
    cell: host.cell,
    uuid: request.consumerUuid,
    name: record.name,
    projectId: request.projectId,
    userId: request.userId,
    flavor: record.flavor,
    flavorId: record.flavorId,
    image: record.image,
    imageUuid: record.imageUuid,
    groupUuid: group?.uuid ?? null,
    requestId: record.requestId,
    isBfv: record.isBfv,
    numaTopology: placement?.numa ?? null,
    pciRequests: placement?.pci ?? null,
    state: request.replaces?.state ?? 'placed',
    attempts: record.attempts,
    alternates: [],
    tried: record.tried,
    request: record.request,
    batchUuid,
  };
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
