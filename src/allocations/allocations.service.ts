// Claims, releases and swaps: complete new sets of allocations, for one consumer or many, all or nothing.
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { OwnerIds } from '../consumers/owners.service';
import type { WriteTx } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import { InvalidInput, NotFound } from '../errors/domain-errors';
import { WRITE_LIMITS } from '../config/limits';
import { AllocationGroups } from './allocation-groups';
import { AllocationWriter } from './allocation-writer';
import type { ConsumerAllocations, ConsumerWrite } from './allocations.commands';
import { findByConsumer } from './allocations.repository';

@Injectable()
export class AllocationsService {
  constructor(
    private readonly db: Database,
    private readonly writer: AllocationWriter,
    private readonly groups: AllocationGroups,
  ) {}

  /** Undefined when the consumer has none. */
  ofConsumer(uuid: Uuid): Promise<ConsumerAllocations | undefined> {
    return this.db.read((sql) => findByConsumer(sql, uuid));
  }

  /**
   * Gives every named consumer its new set. Throws ConsumerGenerationConflict, UnknownReference, AllocationRefused;
   * then nothing has changed.
   */
  async replace(writes: readonly ConsumerWrite[]): Promise<void> {
    checkSizes(writes);
    const owners = await this.writer.ensureOwners(writes);
    await this.groups.write({ writes, owners });
  }

  /** What `replaceIn` needs to have been created before, in commits of their own. Throws InvalidInput. */
  ensureOwners(writes: readonly ConsumerWrite[]): Promise<OwnerIds> {
    checkSizes(writes);
    return this.writer.ensureOwners(writes);
  }

  /** `replace` in the caller's transaction. */
  replaceIn(tx: WriteTx, writes: readonly ConsumerWrite[], owners: OwnerIds, nowMs: number): Promise<void> {
    return this.writer.write(tx, { writes, owners }, nowMs);
  }

  /** Removes all of a consumer's allocations, whatever its generation. Throws NotFound when there are none. */
  async delete(consumerUuid: Uuid): Promise<void> {
    const nowMs = Date.now();
    const hadAny = await this.db.write((tx) => this.releaseIn(tx, consumerUuid, nowMs));
    if (!hadAny) throw new NotFound(`No allocations for consumer '${consumerUuid}'`);
  }

  /** The same in the caller's transaction; answers whether there were any. */
  releaseIn(tx: WriteTx, consumerUuid: Uuid, nowMs: number): Promise<boolean> {
    return this.writer.release(tx, consumerUuid, nowMs);
  }

  /** The same for many consumers at once. */
  releaseAllIn(tx: WriteTx, consumerUuids: readonly Uuid[], nowMs: number): Promise<void> {
    return this.writer.releaseAll(tx, consumerUuids, nowMs);
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
    if (count > WRITE_LIMITS.allocationsPerConsumer) {
      throw new InvalidInput(
        `'allocations' of consumer ${consumerUuid} may have at most ${WRITE_LIMITS.allocationsPerConsumer} amounts.`,
      );
    }
    total += count;
  }
  if (total > WRITE_LIMITS.allocationsPerRequest) {
    throw new InvalidInput(`at most ${WRITE_LIMITS.allocationsPerRequest} amounts may be written at once.`);
  }
}
