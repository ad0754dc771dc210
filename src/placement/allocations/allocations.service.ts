// Claims, releases and swaps: replaces all allocations of one or more consumers atomically.
import { Injectable } from '@nestjs/common';
import { WRITE_LIMITS } from '../../platform/config/limits/placement';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { tracing } from '../../platform/tracing/tracing';
import { InvalidInput, NotFound } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { OwnerIds } from '../consumers/owners.service';
import { unknownProvider } from '../resource-providers/resource-providers.service';
import { AllocationGroups } from './allocation-groups';
import type { OthersChanges } from './allocation-writer';
import { AllocationWriter } from './allocation-writer';
import type { ConsumerAllocations, ConsumerWrite, ProviderAllocations } from './allocations.commands';
import { tooManyAmounts } from './allocations.commands';
import { findByConsumer, findByProvider } from './allocations.repository';
import { ClaimCounters, claimsAmong, reasonOf } from './claim-counters';
import type { AllocationRequest } from './claim-law';
import type { WholeConsumer } from './consumer-pages.loader';
import { loadConsumersAfter, loadWholeConsumers } from './consumer-pages.loader';
import type { ConsumerCount, ConsumerRoot } from './consumers-of-trees.loader';
import { countConsumersOfTrees, loadConsumersOfTrees, loadRootsOfConsumers } from './consumers-of-trees.loader';
import type { ConsumerPage } from './consumers-of-type.loader';
import { loadConsumersOfType, loadProvidersOfConsumers } from './consumers-of-type.loader';
import type { TreeAllocations, TreeBounds } from './tree-allocations.loader';
import { loadTreeAllocations } from './tree-allocations.loader';

/** Consumers in one POST /allocations or reshaper. */
const CONSUMERS_PER_REQUEST = 10_000;
/** (consumer, provider, class) triples of one request. */
const ALLOCATIONS_PER_REQUEST = 50_000;

@Injectable()
export class AllocationsService {
  constructor(
    private readonly db: Database,
    private readonly writer: AllocationWriter,
    private readonly groups: AllocationGroups,
    private readonly counters: ClaimCounters,
  ) {}

  /** Undefined if the consumer has no allocations. */
  ofConsumer(uuid: Uuid): Promise<ConsumerAllocations | undefined> {
    return this.db.read((sql) => findByConsumer(sql, uuid));
  }

  /** In the order in which the consumers were created. Throws NotFound. */
  async ofProvider(uuid: Uuid): Promise<ProviderAllocations> {
    const found = await this.db.readMuch((sql) => findByProvider(sql, uuid));
    if (found === undefined) throw unknownProvider(uuid);
    return found;
  }

  /** Uuids of the consumers with allocations in the trees of these roots, keyed by root and sorted. */
  consumersOfTrees(rootUuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly Uuid[]>> {
    return this.db.readMuch((sql) => loadConsumersOfTrees(sql, rootUuids));
  }

  /** The allocations in the tree of this root, up to the given bounds. */
  ofTree(rootId: number, bounds: TreeBounds): Promise<TreeAllocations> {
    return this.db.readMuch((sql) => loadTreeAllocations(sql, rootId, bounds));
  }

  /** The number of consumers with allocations in the trees of these roots, keyed by root id. */
  countConsumersOfTrees(rootIds: readonly number[]): Promise<ReadonlyMap<number, ConsumerCount>> {
    return this.db.readMuch((sql) => countConsumersOfTrees(sql, rootIds));
  }

  /** The next page of consumers of a type after a row, in the order of creation. */
  consumersOfType(
    consumerFilter: { readonly type: string; readonly createdBeforeMs: number },
    page: { readonly after: number; readonly limit: number },
  ): Promise<ConsumerPage> {
    return this.db.read((sql) => loadConsumersOfType(sql, consumerFilter, page));
  }

  /** The next consumers after a row with their allocations, in the order of creation. */
  consumersAfter(after: number, limit: number): Promise<readonly WholeConsumer[]> {
    return this.db.readMuch((sql) => loadConsumersAfter(sql, after, limit));
  }

  /** The same for given consumers. Those without allocations are missing. */
  wholeConsumers(uuids: readonly Uuid[]): Promise<readonly WholeConsumer[]> {
    return this.db.readMuch((sql) => loadWholeConsumers(sql, 'uuid', uuids));
  }

  /** Ids of the providers on which these consumers have allocations. */
  providersOfConsumers(uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly number[]>> {
    return this.db.readMuch((sql) => loadProvidersOfConsumers(sql, uuids));
  }

  /** The root providers of the trees on which these consumers have allocations. */
  rootsOfConsumers(sql: SqlReader, uuids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly ConsumerRoot[]>> {
    return loadRootsOfConsumers(sql, uuids);
  }

  /**
   * Replaces the allocations of every consumer. Throws ConsumerGenerationConflict, UnknownReference, AllocationRefused,
   * all without any change.
   */
  async replace(writes: readonly ConsumerWrite[]): Promise<void> {
    const claims = claimsAmong(writes);
    try {
      await tracing.within('stage', 'claim', () => this.write(writes));
    } catch (error) {
      this.counters.refuse('placement', reasonOf(error), claims);
      throw error;
    }
    this.counters.granted.placement += claims;
  }

  private async write(writes: readonly ConsumerWrite[]): Promise<void> {
    checkSizes(writes);
    const owners = await this.writer.ensureOwners(writes);
    await this.groups.write({ writes, owners });
  }

  /** Creates the owners that `replaceIn` needs, and commits them. Throws InvalidInput. */
  ensureOwners(writes: readonly ConsumerWrite[]): Promise<OwnerIds> {
    checkSizes(writes);
    return this.writer.ensureOwners(writes);
  }

  /** `replace` in the caller's transaction, with the changes of `others`. */
  replaceIn(tx: WriteTx, request: AllocationRequest, nowMs: number, others?: OthersChanges): Promise<void> {
    return this.writer.write(tx, request, nowMs, others);
  }

  /** Deletes all allocations of a consumer regardless of its generation. Throws NotFound if it has none. */
  async delete(consumerUuid: Uuid): Promise<void> {
    const nowMs = Date.now();
    const released = await this.db.write((tx) => this.releaseIn(tx, [consumerUuid], nowMs));
    if (released === 0) throw new NotFound(`No allocations for consumer '${consumerUuid}'`);
  }

  /** Same for several consumers in the caller's transaction. Returns how many had allocations. */
  releaseIn(tx: WriteTx, consumerUuids: readonly Uuid[], nowMs: number): Promise<number> {
    return this.writer.release(tx, consumerUuids, nowMs);
  }
}

/** Limits the size of transactions, because they must end in time. Throws InvalidInput. */
export function checkSizes(writes: readonly ConsumerWrite[]): void {
  if (writes.length > CONSUMERS_PER_REQUEST) {
    throw new InvalidInput(`at most ${CONSUMERS_PER_REQUEST} consumers may be written at once.`);
  }
  let total = 0;
  for (const { consumerUuid, allocations } of writes) {
    let count = 0;
    for (const resources of allocations.values()) count += resources.size;
    if (count > WRITE_LIMITS.allocationsPerConsumer) throw tooManyAmounts(consumerUuid);
    total += count;
  }
  if (total > ALLOCATIONS_PER_REQUEST) {
    throw new InvalidInput(`at most ${ALLOCATIONS_PER_REQUEST} amounts may be written at once.`);
  }
}
