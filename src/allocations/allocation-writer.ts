// The one law of allocation writes, inside a transaction: hold the consumers, find what is named, raise the providers,
// move the usage by conditional updates, replace the rows. PUT, POST, DELETE and the reshaper all go through here.
import { Injectable } from '@nestjs/common';
import { deleteConsumers, holdConsumer, holdConsumers } from '../consumers/consumers.repository';
import type { ConsumerClaimant, HeldAllocation, HeldConsumer } from '../consumers/consumers.repository';
import { OwnersService } from '../consumers/owners.service';
import type { OwnerIds } from '../consumers/owners.service';
import { StartOver } from '../database/database';
import type { Statement, WriteTx } from '../database/sql';
import { MAX_INT } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';
import { AllocationRefused, UnknownReference } from '../errors/domain-errors';
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

/** More consumers than one statement holds would be held after the providers. */
const TOGETHER_MAX = 100;

/** A promise that somebody else looks at first; its failure is then no surprise. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
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

  /**
   * The whole of an allocation write. Where all consumers must be new there is nothing to read, so holding them, raising
   * the providers and moving the usage are issued together, in this order, and share a round trip.
   */
  async write(tx: WriteTx, writes: readonly ConsumerWrite[], owners: OwnerIds, nowMs: number): Promise<void> {
    const isAllNew = writes.length <= TOGETHER_MAX && writes.every((write) => write.belief.kind === 'mustBeNew');
    const names = isAllNew ? await this.resolveNames(tx, writes) : undefined;
    if (names === undefined || names.unknown !== undefined) {
      const plan = await this.plan(tx, writes, owners, nowMs);
      await this.raiseProviders(tx, plan, nowMs);
      await this.move(tx, plan);
      for (const { sql, params } of rowsOf(plan, nowMs)) tx.conclude(sql, params);
      return;
    }
    const wanted = writes.map((write) => ({ before: [], after: wantedOf(write, names) }));
    const [moves, raised] = [usageMoves(wanted), raisedProviders(wanted)];
    refuseHugeAmounts(moves);
    const holding = holdConsumers(tx, claimantsOf(writes, owners), nowMs);
    const raising = handled(raiseGenerations(tx, raised, nowMs));
    const moving = handled(moveUsage(tx, moves));
    // What fails fails for all of a batch; the consumers know what it means.
    const held = await holding;
    const [found, hasMoved] = [await raising, await moving];
    const plan = planOf(writes, held, names);
    if (found !== raised.length) throw this.outdated(plan);
    if (!hasMoved) throw await this.refusal(tx, moves);
    for (const { sql, params } of rowsOf(plan, nowMs)) tx.conclude(sql, params);
  }

  /** Holds the consumers and plans. Throws ConsumerGenerationConflict, UnknownReference. */
  async plan(tx: WriteTx, writes: readonly ConsumerWrite[], owners: OwnerIds, nowMs: number): Promise<AllocationPlan> {
    const held = await holdConsumers(tx, claimantsOf(writes, owners), nowMs);
    const names = await this.resolveNames(tx, writes);
    if (names.unknown !== undefined) throw names.unknown;
    return planOf(writes, held, names);
  }

  /** Row ids of everything that the writes name. What is unknown is answered, not thrown: conflicts come first. */
  private async resolveNames(tx: WriteTx, writes: readonly ConsumerWrite[]): Promise<ResolvedNames> {
    const providerUuids = [...new Set(writes.flatMap((write) => [...write.allocations.keys()]))];
    const providers = await this.providerIds.resolve(tx, providerUuids);
    const missing = providerUuids.filter((uuid) => !providers.has(uuid));
    const empty = { providerUuids, providers, classes: new Map<string, number>() };
    if (missing.length > 0) return { ...empty, unknown: unknownProviderReference(missing) };
    const classNames = writes.flatMap((write) => [...write.allocations.values()].flatMap((each) => [...each.keys()]));
    try {
      return { ...empty, classes: await this.resourceClasses.resolve(tx, classNames) };
    } catch (error) {
      if (error instanceof UnknownReference) return { ...empty, unknown: error };
      throw error;
    }
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

  /** Moves usage and replaces rows, at once. The providers are held already. Throws AllocationRefused. */
  async apply(tx: WriteTx, plan: AllocationPlan, nowMs: number): Promise<void> {
    await this.move(tx, plan);
    for (const { sql, params } of rowsOf(plan, nowMs)) await tx.run(sql, params);
  }

  private async move(tx: WriteTx, { moves }: AllocationPlan): Promise<void> {
    refuseHugeAmounts(moves);
    if (moves.length > 0 && !(await moveUsage(tx, moves))) throw await this.refusal(tx, moves);
  }

  /** Releases everything a consumer has, whatever its generation; answers whether it had anything. */
  async release(tx: WriteTx, consumerUuid: Uuid, nowMs: number): Promise<boolean> {
    const consumer = await holdConsumer(tx, consumerUuid);
    if (consumer === undefined) return false;
    const planned = { ...consumer, after: [] };
    const plan = { consumers: [planned], moves: usageMoves([planned]), raised: [], providerUuids: [] };
    await this.move(tx, plan);
    for (const { sql, params } of rowsOf(plan, nowMs)) tx.conclude(sql, params);
    return consumer.before.length > 0;
  }

  /** Nothing stands in the way any more when it is looked for: room appeared meanwhile, so try again. */
  private async refusal(tx: WriteTx, moves: readonly UsageMove[]): Promise<Error> {
    const obstacle = await findObstacle(tx, moves);
    return obstacle === undefined ? new StartOver('the obstacle is gone') : refused(obstacle);
  }
}

/** What the writes name, by row ids. */
interface ResolvedNames {
  readonly providerUuids: readonly Uuid[];
  readonly providers: ReadonlyMap<Uuid, number>;
  readonly classes: ReadonlyMap<string, number>;
  /** Something they name does not exist. */
  readonly unknown?: UnknownReference;
}

function claimantsOf(writes: readonly ConsumerWrite[], owners: OwnerIds): readonly ConsumerClaimant[] {
  return writes.map((write) => ({
    uuid: write.consumerUuid,
    belief: write.belief,
    projectId: known(owners.projects, write.projectId),
    userId: known(owners.users, write.userId),
    typeId: write.consumerType === undefined ? undefined : known(owners.types, write.consumerType),
  }));
}

function wantedOf(write: ConsumerWrite, { providers, classes }: ResolvedNames): readonly HeldAllocation[] {
  return [...write.allocations].flatMap(([uuid, resources]) =>
    [...resources].map(([name, used]) => ({ providerId: known(providers, uuid), classId: known(classes, name), used })),
  );
}

function planOf(
  writes: readonly ConsumerWrite[],
  held: ReadonlyMap<Uuid, HeldConsumer>,
  names: ResolvedNames,
): AllocationPlan {
  const consumers = writes.map((write): PlannedConsumer => {
    const consumer = held.get(write.consumerUuid);
    if (consumer === undefined) throw new StartOver('a consumer vanished while it was taken');
    return { ...consumer, after: wantedOf(write, names) };
  });
  const { providerUuids } = names;
  return { consumers, moves: usageMoves(consumers), raised: raisedProviders(consumers), providerUuids };
}

/** The rows as they shall be: the old ones go, the new ones come, and consumers without any go as well. */
function rowsOf({ consumers }: AllocationPlan, nowMs: number): readonly Statement[] {
  const withOld = consumers.filter((consumer) => consumer.before.length > 0).map((consumer) => consumer.id);
  const rows = consumers.flatMap(({ id, after }) => after.map((allocation) => ({ consumerId: id, ...allocation })));
  const emptied = consumers.filter((consumer) => consumer.after.length === 0).map((consumer) => consumer.id);
  return [...deleteAllocations(withOld), ...insertAllocations(rows, nowMs), ...deleteConsumers(emptied)];
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
