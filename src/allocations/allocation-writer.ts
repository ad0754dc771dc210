// The one law of allocation writes, inside a transaction: hold the consumers, find what is named, raise the providers,
// move the usage by conditional updates, replace the rows. PUT, POST, DELETE and the reshaper all go through here.
import { Injectable } from '@nestjs/common';
import { holdConsumer, holdConsumers, holdNewConsumers, holdPresentConsumers } from '../consumers/consumers.repository';
import type { HeldConsumer } from '../consumers/consumers.repository';
import { OwnersService } from '../consumers/owners.service';
import type { OwnerIds } from '../consumers/owners.service';
import { StartOver } from '../database/database';
import type { SqlReader, WriteTx } from '../database/sql';
import type { Uuid } from '../domain/uuid';
import { UnknownReference } from '../errors/domain-errors';
import { RECORDS_PER_STATEMENT, findObstacle, moveUsage } from '../inventories/usage.repository';
import type { UsageMove } from '../inventories/usage.repository';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { ProviderIds } from '../resource-providers/provider-ids';
import { raiseGenerations, raiseGenerationsBy } from '../resource-providers/resource-providers.repository';
import { unknownProviderReference } from '../resource-providers/resource-providers.service';
import { turns } from '../turns/turns';
import {
  areAllNew,
  asksHugeAmounts,
  changesOf,
  claimantsOf,
  isLongWrite,
  movesHugeAmounts,
  planOf,
  plannedOf,
  refused,
  rowsOf,
  wantedOf,
} from './allocation-plan';
import type { AllocationPlan, AllocationRequest, NamedRequest, ResolvedNames } from './allocation-plan';
import type { ConsumerWrite } from './allocations.commands';
import { insertAllocationsOfNew } from './allocations.repository';
import { joinedMoves, joinedRaises, raisedProviders, usageMoves } from './claim-plan';

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

  /** The whole of an allocation write. Throws ConsumerGenerationConflict, UnknownReference, AllocationRefused. */
  async write(tx: WriteTx, request: AllocationRequest, nowMs: number): Promise<void> {
    const { writes, owners } = request;
    const isLong = isLongWrite(writes);
    let held: ReadonlyMap<Uuid, HeldConsumer> | undefined;
    const isHuge = asksHugeAmounts(writes);
    let names = areAllNew(writes) && !isHuge ? await this.resolveNames(tx, writes) : undefined;
    if (names === undefined || names.unknown !== undefined) {
      held = await holdConsumers(tx, claimantsOf(writes, owners), nowMs);
      if (isLong) await turns.giveWay();
      names ??= await this.resolveNames(tx, writes);
      if (names.unknown !== undefined) throw names.unknown;
    }
    if (isLong) await turns.giveWay();
    // Never sent to the database; the generation was judged before.
    if (isHuge) throw await this.refusalOfNames(tx, names, usageMoves(changesOf(writes, held, names)));
    const moved = await carryOut(tx, [{ ...request, names }], nowMs, held);
    if (moved.found !== moved.raised) throw this.outdatedNames(names);
    if (!moved.hasMoved) throw await this.refusal(tx, moved.moves);
  }

  /**
   * The same where the transaction is the request's own, and is committed here. The claim of one new consumer, the most
   * frequent of all writes, then is one round trip: the server itself lets nothing pass that was not granted.
   */
  async writeAndFinish(tx: WriteTx, request: AllocationRequest, nowMs: number): Promise<void> {
    const { writes, owners } = request;
    const [only] = writes;
    const isOneNew = writes.length === 1 && areAllNew(writes) && !asksHugeAmounts(writes);
    const names = tx.dialect.batches && isOneNew ? await this.resolveNames(tx, writes) : undefined;
    const after = only === undefined || names === undefined || names.unknown !== undefined ? [] : wantedOf(only, names);
    if (names === undefined || after.length === 0 || after.length > RECORDS_PER_STATEMENT) {
      await this.write(tx, request, nowMs);
      return tx.finish();
    }
    const changes = [{ before: [], after }];
    const [moves, raised] = [usageMoves(changes), raisedProviders(changes)];
    for (const { providerId, classId } of moves) tx.changes.usage(providerId, classId);
    // All in one breath: they travel together, and the server runs none behind one that failed.
    const holding = handled(holdNewConsumers(tx, claimantsOf(writes, owners), nowMs));
    void handled(raiseGenerations(tx, raised, nowMs));
    void handled(moveUsage(tx, moves));
    const rows = insertAllocationsOfNew(tx, after, nowMs);
    tx.conclude(rows.sql, rows.params);
    try {
      await tx.finish();
    } catch (error) {
      const failure = tx.dialect.classify(error);
      if (failure === 'duplicate') await holding;
      if (failure !== 'check') throw error;
      throw await this.refusalOfNames(tx, names, moves);
    }
  }

  /**
   * The same for several requests at once, whose consumers are all different and believed in the same way. Either each of
   * them would have been granted alone, in whatever order, or GroupMisfit and nothing has happened.
   */
  async writeTogether(tx: WriteTx, requests: readonly NamedRequest[], nowMs: number): Promise<void> {
    const moved = await carryOut(tx, requests, nowMs);
    if (moved.found !== moved.raised) for (const { names } of requests) this.providerIds.forget(names.providerUuids);
    if (moved.found !== moved.raised || !moved.hasMoved) throw new GroupMisfit();
  }

  /** Holds the consumers and plans. Throws ConsumerGenerationConflict, UnknownReference. */
  async plan(tx: WriteTx, writes: readonly ConsumerWrite[], owners: OwnerIds, nowMs: number): Promise<AllocationPlan> {
    const held = await holdConsumers(tx, claimantsOf(writes, owners), nowMs);
    const names = await this.resolveNames(tx, writes);
    if (names.unknown !== undefined) throw names.unknown;
    return planOf(writes, held, names);
  }

  /** Row ids of everything that the writes name. What is unknown is answered, not thrown: conflicts come first. */
  async resolveNames(tx: SqlReader, writes: readonly ConsumerWrite[]): Promise<ResolvedNames> {
    const providerUuids = [...new Set(writes.flatMap((write) => [...write.allocations.keys()]))];
    const providers = await this.providerIds.resolve(tx, providerUuids);
    const missing = providerUuids.filter((uuid) => !providers.has(uuid));
    const empty = { providerUuids, providers, classes: new Map<string, number>() };
    if (missing.length > 0) return { ...empty, unknown: unknownProviderReference(missing) };
    const classNames = new Set<string>();
    for (const { allocations } of writes) {
      for (const resources of allocations.values()) for (const name of resources.keys()) classNames.add(name);
    }
    try {
      return { ...empty, classes: await this.resourceClasses.resolve(tx, [...classNames]) };
    } catch (error) {
      if (error instanceof UnknownReference) return { ...empty, unknown: error };
      throw error;
    }
  }

  /** The providers could not all be raised: one that was remembered is gone, so they are looked up again. */
  outdated(plan: AllocationPlan): StartOver {
    return this.outdatedNames(plan);
  }

  private outdatedNames({ providerUuids }: Pick<ResolvedNames, 'providerUuids'>): StartOver {
    this.providerIds.forget(providerUuids);
    return new StartOver('a provider is gone');
  }

  /** Moves usage and replaces rows, at once. The providers are held already. Throws AllocationRefused. */
  async apply(tx: WriteTx, plan: AllocationPlan, nowMs: number): Promise<void> {
    await this.move(tx, plan.moves);
    for (const { sql, params } of rowsOf(plan.consumers, nowMs)) await tx.run(sql, params);
  }

  private async move(tx: WriteTx, moves: readonly UsageMove[]): Promise<void> {
    if (moves.length === 0) return;
    if (movesHugeAmounts(moves) || !(await moveUsage(tx, moves))) throw await this.refusal(tx, moves);
  }

  /** Releases everything a consumer has, whatever its generation; answers whether it had anything. */
  async release(tx: WriteTx, consumerUuid: Uuid, nowMs: number): Promise<boolean> {
    const consumer = await holdConsumer(tx, consumerUuid);
    if (consumer === undefined) return false;
    const planned = { ...consumer, after: [] };
    await this.move(tx, usageMoves([planned]));
    for (const { sql, params } of rowsOf([planned], nowMs)) tx.conclude(sql, params);
    return consumer.before.length > 0;
  }

  /** The same for many consumers at once; those that have nothing are passed over. */
  async releaseAll(tx: WriteTx, consumerUuids: readonly Uuid[], nowMs: number): Promise<void> {
    const held = await holdPresentConsumers(tx, consumerUuids);
    const planned = [...held.values()].map((consumer) => ({ ...consumer, after: [] }));
    await this.move(tx, usageMoves(planned));
    for (const { sql, params } of rowsOf(planned, nowMs)) tx.conclude(sql, params);
  }

  /** A provider that is gone has no records either, and is missed first. */
  private async refusalOfNames(tx: WriteTx, names: ResolvedNames, moves: readonly UsageMove[]): Promise<Error> {
    this.providerIds.forget(names.providerUuids);
    const [now, refusal] = await Promise.all([
      this.providerIds.resolve(tx, names.providerUuids),
      this.refusal(tx, moves),
    ]);
    const isSame = names.providerUuids.every((uuid) => now.get(uuid) === names.providers.get(uuid));
    return isSame ? refusal : new StartOver('a provider is gone');
  }

  /** Nothing stands in the way any more when it is looked for: room appeared meanwhile, so try again. */
  private async refusal(tx: WriteTx, moves: readonly UsageMove[]): Promise<Error> {
    const obstacle = await findObstacle(tx, moves);
    return obstacle === undefined ? new StartOver('the obstacle is gone') : refused(obstacle);
  }
}

/** Thrown when not all of a group can be: each of its requests is to be judged by itself. */
export class GroupMisfit extends Error {
  override readonly name = 'GroupMisfit';
}

/** Statements of a large write that are made between two chances of others. */
const STATEMENTS_PER_TURN = 20;

interface CarriedOut {
  readonly moves: readonly UsageMove[];
  /** Providers to raise, and how many of them there were. */
  readonly raised: number;
  readonly found: number;
  readonly hasMoved: boolean;
}

/**
 * Holds the consumers unless they are `held`, raises the providers, moves the usage, and leaves the rows for the end;
 * the caller judges what was found. Statements that need nothing of each other are issued together, in the order of
 * locks, and share a round trip: where all consumers are new, all of them.
 */
async function carryOut(
  tx: WriteTx,
  requests: readonly NamedRequest[],
  nowMs: number,
  held?: ReadonlyMap<Uuid, HeldConsumer>,
): Promise<CarriedOut> {
  const isLong = requests.some(({ writes }) => isLongWrite(writes));
  const claimants = requests.flatMap(({ writes, owners }) => claimantsOf(writes, owners));
  const isAllNew = held === undefined && requests.every(({ writes }) => areAllNew(writes));
  const known = isAllNew ? undefined : (held ?? (await holdConsumers(tx, claimants, nowMs)));
  if (isLong) await turns.giveWay();
  const changes = requests.map(({ writes, names }) => changesOf(writes, known, names));
  if (isLong) await turns.giveWay();
  const moves = joinedMoves(changes.map(usageMoves));
  if (isLong) await turns.giveWay();
  const raises = joinedRaises(changes.map(raisedProviders));
  const holding = known ?? holdNewConsumers(tx, claimants, nowMs);
  const raising = handled(raises.size === 0 ? Promise.resolve(0) : raiseGenerationsBy(tx, raises, nowMs));
  const moving = handled(moves.length === 0 ? Promise.resolve(true) : moveUsage(tx, moves));
  // What fails fails for all of a batch; the consumers know what it means.
  const consumers = await holding;
  const [found, hasMoved] = [await raising, await moving];
  if (found === raises.size && hasMoved) {
    if (isLong) await turns.giveWay();
    const planned = requests.flatMap(({ writes, names }) => plannedOf(writes, consumers, names));
    if (isLong) await turns.giveWay();
    let made = 0;
    for (const { sql, params } of rowsOf(planned, nowMs)) {
      tx.conclude(sql, params);
      if (isLong && (made += 1) % STATEMENTS_PER_TURN === 0) await turns.giveWay();
    }
  }
  return { moves, raised: raises.size, found, hasMoved };
}
