// The one law of allocation writes, inside a transaction: hold the consumers, find what is named, raise the providers,
// move the usage by conditional updates, replace the rows. PUT, POST, DELETE and the reshaper all go through here.
import { Injectable } from '@nestjs/common';
import { deleteConsumers, holdConsumer, holdConsumers } from '../consumers/consumers.repository';
import type { HeldAllocation, HeldConsumer } from '../consumers/consumers.repository';
import { OwnersService } from '../consumers/owners.service';
import type { OwnerIds } from '../consumers/owners.service';
import { StartOver } from '../database/database';
import type { WriteTx } from '../database/sql';
import { MAX_INT } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';
import { AllocationRefused } from '../errors/domain-errors';
import { findObstacle, moveUsage } from '../inventories/usage.repository';
import type { UsageMove, UsageObstacle } from '../inventories/usage.repository';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { ProviderIds } from '../resource-providers/provider-ids';
import { raiseGenerations } from '../resource-providers/resource-providers.repository';
import { unknownProviderReference } from '../resource-providers/resource-providers.service';
import type { ConsumerWrite } from './allocations.commands';
import { deleteAllocations, insertAllocations } from './allocations.repository';
import { raisedProviders, usageMoves } from './claim-plan';

interface PlannedConsumer extends HeldConsumer {
  readonly after: readonly HeldAllocation[];
}

/** What a request will do, once its consumers are held and its names are known. */
export interface AllocationPlan {
  readonly consumers: readonly PlannedConsumer[];
  readonly moves: readonly UsageMove[];
  /** Providers whose generation rises, by id. */
  readonly raised: readonly number[];
  /** The uuids that were looked up, for forgetting them should one be gone. */
  readonly providerUuids: readonly Uuid[];
}

@Injectable()
export class AllocationWriter {
  constructor(
    private readonly owners: OwnersService,
    private readonly providerIds: ProviderIds,
    private readonly resourceClasses: ResourceClassesService,
  ) {}

  /** Creates missing projects, users and types, in commits of their own, before the write. */
  ensureOwners(writes: readonly ConsumerWrite[]): Promise<OwnerIds> {
    return this.owners.ensure({
      projects: new Set(writes.map((write) => write.projectId)),
      users: new Set(writes.map((write) => write.userId)),
      types: new Set(writes.flatMap((write) => write.consumerType ?? [])),
    });
  }

  /** Holds the consumers and plans. Throws ConsumerGenerationConflict, UnknownReference. */
  async plan(tx: WriteTx, writes: readonly ConsumerWrite[], owners: OwnerIds, nowMs: number): Promise<AllocationPlan> {
    const held = await holdConsumers(
      tx,
      writes.map((write) => ({
        uuid: write.consumerUuid,
        belief: write.belief,
        projectId: known(owners.projects, write.projectId),
        userId: known(owners.users, write.userId),
        typeId: write.consumerType === undefined ? undefined : known(owners.types, write.consumerType),
      })),
      nowMs,
    );
    const providerUuids = [...new Set(writes.flatMap((write) => [...write.allocations.keys()]))];
    const providers = await this.providerIds.resolve(tx, providerUuids);
    const unknown = providerUuids.filter((uuid) => !providers.has(uuid));
    if (unknown.length > 0) throw unknownProviderReference(unknown);
    const classNames = writes.flatMap((write) => [...write.allocations.values()].flatMap((each) => [...each.keys()]));
    const classes = await this.resourceClasses.resolve(tx, classNames);

    const consumers = writes.map((write): PlannedConsumer => {
      const consumer = held.get(write.consumerUuid);
      if (consumer === undefined) throw new StartOver('a consumer vanished while it was taken');
      const after = [...write.allocations].flatMap(([uuid, resources]) =>
        [...resources].map(([name, used]) => ({
          providerId: known(providers, uuid),
          classId: known(classes, name),
          used,
        })),
      );
      return { ...consumer, after };
    });
    return { consumers, moves: usageMoves(consumers), raised: raisedProviders(consumers), providerUuids };
  }

  /** Raises the providers of a plan without comparing; a remembered provider that is gone starts the write over. */
  async raiseProviders(tx: WriteTx, plan: AllocationPlan, nowMs: number): Promise<void> {
    if ((await raiseGenerations(tx, plan.raised, nowMs)) !== plan.raised.length) throw this.outdated(plan);
  }

  /** The providers could not all be raised: one that was remembered is gone, so they are looked up again. */
  outdated(plan: AllocationPlan): StartOver {
    this.providerIds.forget(plan.providerUuids);
    return new StartOver('a provider is gone');
  }

  /** Moves usage and replaces rows. The providers are held already. Throws AllocationRefused. */
  async apply(tx: WriteTx, { consumers, moves }: AllocationPlan, nowMs: number): Promise<void> {
    refuseHugeAmounts(moves);
    if (moves.length > 0 && !(await moveUsage(tx, moves))) throw await this.refusal(tx, moves);
    const withOld = consumers.filter((consumer) => consumer.before.length > 0).map((consumer) => consumer.id);
    if (withOld.length > 0) await deleteAllocations(tx, withOld);
    const rows = consumers.flatMap(({ id, after }) => after.map((allocation) => ({ consumerId: id, ...allocation })));
    if (rows.length > 0) await insertAllocations(tx, rows, nowMs);
    const emptied = consumers.filter((consumer) => consumer.after.length === 0).map((consumer) => consumer.id);
    if (emptied.length > 0) await deleteConsumers(tx, emptied);
  }

  /** Releases everything a consumer has, whatever its generation; answers whether it had anything. */
  async release(tx: WriteTx, consumerUuid: Uuid, nowMs: number): Promise<boolean> {
    const consumer = await holdConsumer(tx, consumerUuid);
    if (consumer === undefined) return false;
    const planned = { ...consumer, after: [] };
    await this.apply(tx, { consumers: [planned], moves: usageMoves([planned]), raised: [], providerUuids: [] }, nowMs);
    return consumer.before.length > 0;
  }

  /** Nothing stands in the way any more when it is looked for: room appeared meanwhile, so try again. */
  private async refusal(tx: WriteTx, moves: readonly UsageMove[]): Promise<Error> {
    const obstacle = await findObstacle(tx, moves);
    return obstacle === undefined ? new StartOver('the obstacle is gone') : refused(obstacle);
  }
}

function known<K>(ids: ReadonlyMap<K, number>, key: K): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`no id was resolved for ${String(key)}`);
  return id;
}

/** No record admits more than MAX_INT in one allocation, and sums of what passes here stay exact. */
function refuseHugeAmounts(moves: readonly UsageMove[]): void {
  const huge = moves.flatMap((move) => move.amounts).find((amount) => amount > MAX_INT);
  if (huge === undefined) return;
  throw new AllocationRefused(`Unable to allocate inventory: ${huge} is more than any inventory can give.`);
}

function refused({ providerUuid, resourceClass, reason, move, used, capacity }: UsageObstacle): AllocationRefused {
  const subject = `'${resourceClass}' on resource provider '${providerUuid}'`;
  switch (reason) {
    case 'no-inventory':
      return new AllocationRefused(`Unable to allocate inventory: there is no inventory of ${subject}.`);
    case 'units':
      return new AllocationRefused(
        `Unable to allocate inventory: the requested amount ${move.amounts.join(', ')} violates min_unit, max_unit or ` +
          `step_size of ${subject}.`,
      );
    case 'capacity':
      return new AllocationRefused(
        `Unable to allocate inventory: ${subject} would exceed the capacity: ` +
          `${used} used, ${move.delta} more asked, capacity ${capacity}.`,
      );
  }
}
