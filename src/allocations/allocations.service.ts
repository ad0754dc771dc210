// Claims, releases and swaps: complete new sets of allocations, for one consumer or many, all or nothing.
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { OwnerIds } from '../consumers/owners.service';
import type { WriteTx } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import { InvalidInput, NotFound } from '../domain/errors';
import { WRITE_LIMITS } from '../config/limits';
import { AllocationGroups } from './allocation-groups';
import { AllocationWriter } from './allocation-writer';
import type { OthersChanges } from './allocation-writer';
import { tooManyAmounts } from './allocations.commands';
import type { ConsumerAllocations, ConsumerWrite } from './allocations.commands';
import { findByConsumer } from './allocations.repository';
import type { AllocationRequest } from './claim-law';
import { ClaimTally, claimsAmong, reasonOf } from './claim-tally';
import { tracing } from '../tracing/tracing';
import { countConsumersOfTrees, loadConsumersOfTrees } from './consumers-of-trees.loader';
import type { ConsumerCount } from './consumers-of-trees.loader';
import { loadTreeAllocations } from './tree-allocations.loader';
import type { TreeAllocations, TreeBounds } from './tree-allocations.loader';
import { loadConsumersOfType, loadProvidersOfConsumers } from './consumers-of-type.loader';
import type { ConsumerBite } from './consumers-of-type.loader';

@Injectable()
export class AllocationsService {
  constructor(
    private readonly db: Database,
    private readonly writer: AllocationWriter,
    private readonly groups: AllocationGroups,
    private readonly tally: ClaimTally,
  ) {}

  /** Undefined when the consumer has none. */
  ofConsumer(uuid: Uuid): Promise<ConsumerAllocations | undefined> {
    return this.db.read((sql) => findByConsumer(sql, uuid));
  }

  /** Uuids of those who have an allocation anywhere in the trees of these roots, by root; ascending. */
  consumersOfTrees(rootUuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly Uuid[]>> {
    return this.db.readMuch((sql) => loadConsumersOfTrees(sql, rootUuids));
  }

  /** What is held of the tree with this root, as far as the bounds allow. */
  ofTree(rootId: number, bounds: TreeBounds): Promise<TreeAllocations> {
    return this.db.readMuch((sql) => loadTreeAllocations(sql, rootId, bounds));
  }

  /** How many have an allocation anywhere in the trees of these roots, by the root's id. */
  countConsumersOfTrees(rootIds: readonly number[]): Promise<ReadonlyMap<number, ConsumerCount>> {
    return this.db.readMuch((sql) => countConsumersOfTrees(sql, rootIds));
  }

  /** The next consumers of a type behind a row, as they were created; whoever wants all of them asks again. */
  consumersOfType(
    asked: { readonly type: string; readonly createdBeforeMs: number },
    page: { readonly after: number; readonly limit: number },
  ): Promise<ConsumerBite> {
    return this.db.read((sql) => loadConsumersOfType(sql, asked, page));
  }

  /** Ids of the providers that these consumers have allocations on. */
  providersOfConsumers(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly number[]>> {
    return this.db.readMuch((sql) => loadProvidersOfConsumers(sql, uuids));
  }

  /**
   * Gives every named consumer its new set. Throws ConsumerGenerationConflict, UnknownReference, AllocationRefused;
   * then nothing has changed.
   */
  async replace(writes: readonly ConsumerWrite[]): Promise<void> {
    const claims = claimsAmong(writes);
    try {
      await tracing.within('stage', 'claim', () => this.write(writes));
    } catch (error) {
      this.tally.refuse('placement', reasonOf(error), claims);
      throw error;
    }
    this.tally.granted.placement += claims;
  }

  private async write(writes: readonly ConsumerWrite[]): Promise<void> {
    checkSizes(writes);
    const owners = await this.writer.ensureOwners(writes);
    await this.groups.write({ writes, owners });
  }

  /** What `replaceIn` needs to have been created before, in commits of their own. Throws InvalidInput. */
  ensureOwners(writes: readonly ConsumerWrite[]): Promise<OwnerIds> {
    checkSizes(writes);
    return this.writer.ensureOwners(writes);
  }

  /** `replace` in the caller's transaction, and with what `others` change in it. */
  replaceIn(tx: WriteTx, request: AllocationRequest, nowMs: number, others?: OthersChanges): Promise<void> {
    return this.writer.write(tx, request, nowMs, others);
  }

  /** Removes all of a consumer's allocations, whatever its generation. Throws NotFound when there are none. */
  async delete(consumerUuid: Uuid): Promise<void> {
    const nowMs = Date.now();
    const released = await this.db.write((tx) => this.releaseIn(tx, [consumerUuid], nowMs));
    if (released === 0) throw new NotFound(`No allocations for consumer '${consumerUuid}'`);
  }

  /** The same for some consumers in the caller's transaction; answers how many had any. */
  releaseIn(tx: WriteTx, consumerUuids: readonly Uuid[], nowMs: number): Promise<number> {
    return this.writer.release(tx, consumerUuids, nowMs);
  }
}

/** Keeps transactions small enough to end in time. Throws InvalidInput. */
export function checkSizes(writes: readonly ConsumerWrite[]): void {
  if (writes.length > WRITE_LIMITS.consumersPerRequest) {
    throw new InvalidInput(`at most ${WRITE_LIMITS.consumersPerRequest} consumers may be written at once.`);
  }
  let total = 0;
  for (const { consumerUuid, allocations } of writes) {
    let count = 0;
    for (const resources of allocations.values()) count += resources.size;
    if (count > WRITE_LIMITS.allocationsPerConsumer) throw tooManyAmounts(consumerUuid);
    total += count;
  }
  if (total > WRITE_LIMITS.allocationsPerRequest) {
    throw new InvalidInput(`at most ${WRITE_LIMITS.allocationsPerRequest} amounts may be written at once.`);
  }
}
