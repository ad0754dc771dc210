// Allocations of consumers in this process's own Placement.

import { Injectable } from '@nestjs/common';
import type { AllocationSet, ConsumerAllocations } from '../../placement/allocations/allocations.commands';
import { AllocationsService } from '../../placement/allocations/allocations.service';
import type { WholeConsumer } from '../../placement/allocations/consumer-pages.loader';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { ConcurrentUpdate } from '../../platform/values/errors';
import type { ClaimRequest, ConsumerStore, StoredAllocations } from '../ports';

@Injectable()
export class LocalConsumers implements ConsumerStore {
  constructor(
    private readonly db: Database,
    private readonly allocations: AllocationsService,
  ) {}

  async find(consumerUuid: string): Promise<StoredAllocations | undefined> {
    const found = await this.allocations.ofConsumer(consumerUuid);
    if (found === undefined) return undefined;
    const { generation, projectId, userId, consumerType } = found;
    return { generation, projectId, userId, consumerType, allocations: allocationsOf(found) };
  }

  rootsOf(consumerUuids: readonly string[]): ReturnType<ConsumerStore['rootsOf']> {
    return this.db.read((sql) => this.allocations.rootsOfConsumers(sql, consumerUuids));
  }

  async restore(
    consumerUuid: string,
    { generation, allocations, projectId, userId, consumerType }: StoredAllocations,
    also: (tx: WriteTx) => Promise<void>,
  ): Promise<boolean> {
    const write = {
      consumerUuid,
      allocations: allocationSetOf(allocations),
      projectId,
      userId,
      consumerType: consumerType ?? undefined,
      expectedGeneration: { kind: 'expect', generation } as const,
    };
    try {
      const owners = await this.allocations.ensureOwners([write]);
      const nowMs = Date.now();
      await this.db.write(async (tx) => {
        await this.allocations.replaceIn(tx, { writes: [write], owners }, nowMs);
        await also(tx);
      });
      return true;
    } catch (error) {
      if (error instanceof ConcurrentUpdate) return false;
      throw error;
    }
  }
}

/** The allocations of a consumer, in the form of a claim. */
export const allocationsOf = ({
  shares,
}: Pick<WholeConsumer, 'shares'> | ConsumerAllocations): ClaimRequest['allocations'] =>
  Object.fromEntries(
    shares.map(({ providerUuid, resources }) => [providerUuid, { resources: Object.fromEntries(resources) }]),
  );

export const allocationSetOf = (allocations: ClaimRequest['allocations']): AllocationSet =>
  new Map(Object.entries(allocations).map(([uuid, { resources }]) => [uuid, new Map(Object.entries(resources))]));
