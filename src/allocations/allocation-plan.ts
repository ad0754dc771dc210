// What an allocation write asks and what it will do, by row ids: from commands and held consumers to moves and rows.
import { WRITE_LIMITS } from '../config/limits';
import { NEW_CONSUMERS_MAX, deleteConsumers } from '../consumers/consumers.repository';
import type { ConsumerClaimant, HeldAllocation, HeldConsumer } from '../consumers/consumers.repository';
import type { OwnerIds } from '../consumers/owners.service';
import { StartOver } from '../database/database';
import type { Statement } from '../database/sql';
import { MAX_INT } from '../domain/inventory';
import type { Uuid } from '../domain/uuid';
import { AllocationRefused } from '../errors/domain-errors';
import type { UnknownReference } from '../errors/domain-errors';
import type { UsageMove, UsageObstacle } from '../inventories/usage.repository';
import { turns } from '../turns/turns';
import type { ConsumerWrite } from './allocations.commands';
import { deleteAllocations, insertAllocations } from './allocations.repository';
import { raisedProviders, usageMoves } from './claim-plan';
import type { ConsumerChange } from './claim-plan';

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

/** One request, with the row ids of who will hold what it asks. */
export interface AllocationRequest {
  readonly writes: readonly ConsumerWrite[];
  readonly owners: OwnerIds;
}

export interface NamedRequest extends AllocationRequest {
  readonly names: ResolvedNames;
}

/** Whether there is nothing to read: every consumer must be new, and one statement takes them all. */
export function areAllNew(writes: readonly ConsumerWrite[]): boolean {
  return writes.length <= NEW_CONSUMERS_MAX && writes.every((write) => write.belief.kind === 'mustBeNew');
}

/** What the consumers of one request have and want; where none are held they are new. */
export function changesOf(
  writes: readonly ConsumerWrite[],
  held: ReadonlyMap<Uuid, HeldConsumer> | undefined,
  names: ResolvedNames,
): readonly ConsumerChange[] {
  if (held !== undefined) return plannedOf(writes, held, names);
  return writes.map((write) => ({ before: [], after: wantedOf(write, names) }));
}

/** What the writes name, by row ids. */
export interface ResolvedNames {
  readonly providerUuids: readonly Uuid[];
  readonly providers: ReadonlyMap<Uuid, number>;
  readonly classes: ReadonlyMap<string, number>;
  /** Something they name does not exist. */
  readonly unknown?: UnknownReference;
}

export function claimantsOf(writes: readonly ConsumerWrite[], owners: OwnerIds): readonly ConsumerClaimant[] {
  return writes.map((write) => ({
    uuid: write.consumerUuid,
    belief: write.belief,
    projectId: known(owners.projects, write.projectId),
    userId: known(owners.users, write.userId),
    typeId: write.consumerType === undefined ? undefined : known(owners.types, write.consumerType),
  }));
}

export function wantedOf(write: ConsumerWrite, { providers, classes }: ResolvedNames): readonly HeldAllocation[] {
  return [...write.allocations].flatMap(([uuid, resources]) =>
    [...resources].map(([name, used]) => ({ providerId: known(providers, uuid), classId: known(classes, name), used })),
  );
}

/** The held consumers with what they shall have. */
export function plannedOf(
  writes: readonly ConsumerWrite[],
  held: ReadonlyMap<Uuid, HeldConsumer>,
  names: ResolvedNames,
): readonly PlannedConsumer[] {
  return writes.map((write): PlannedConsumer => {
    const consumer = held.get(write.consumerUuid);
    if (consumer === undefined) throw new StartOver('a consumer vanished while it was taken');
    return { ...consumer, after: wantedOf(write, names) };
  });
}

export async function planOf(
  writes: readonly ConsumerWrite[],
  held: ReadonlyMap<Uuid, HeldConsumer>,
  names: ResolvedNames,
): Promise<AllocationPlan> {
  const isLong = isLongWrite(writes);
  const consumers = plannedOf(writes, held, names);
  if (isLong) await turns.giveWay();
  const moves = usageMoves(consumers);
  if (isLong) await turns.giveWay();
  return { consumers, moves, raised: raisedProviders(consumers), providerUuids: names.providerUuids };
}

/** Whether others have their turn between the steps of the write, each of which looks at everything. */
export function isLongWrite(writes: readonly ConsumerWrite[]): boolean {
  let amounts = 0;
  return writes.some(({ allocations }) => {
    for (const resources of allocations.values()) amounts += resources.size;
    return amounts > WRITE_LIMITS.allocationsPerStep;
  });
}

/** The rows as they shall be: the old ones go, the new ones come, and consumers without any go as well. */
export function* rowsOf(consumers: readonly PlannedConsumer[], nowMs: number): Iterable<Statement> {
  const withOld = consumers.filter((consumer) => consumer.before.length > 0).map((consumer) => consumer.id);
  const rows = consumers.flatMap(({ id: consumerId, after }) =>
    after.map(({ providerId, classId, used }) => ({ consumerId, providerId, classId, used })),
  );
  const emptied = consumers.filter((consumer) => consumer.after.length === 0).map((consumer) => consumer.id);
  yield* deleteAllocations(withOld);
  yield* insertAllocations(rows, nowMs);
  yield* deleteConsumers(emptied);
}

function known<K>(ids: ReadonlyMap<K, number>, key: K): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`no id was resolved for ${String(key)}`);
  return id;
}

const isHuge = (amount: number): boolean => amount > MAX_INT;

/** No record admits more than MAX_INT in one allocation. What has none of them has sums that stay exact. */
export const asksHugeAmounts = (writes: readonly ConsumerWrite[]): boolean =>
  writes.some(({ allocations }) => [...allocations.values()].some((resources) => [...resources.values()].some(isHuge)));

export const movesHugeAmounts = (moves: readonly UsageMove[]): boolean =>
  moves.some(({ amounts }) => amounts.some(isHuge));

export function refused({
  providerUuid,
  resourceClass,
  reason,
  move,
  used,
  capacity,
}: UsageObstacle): AllocationRefused {
  const subject = `'${resourceClass}' on resource provider '${providerUuid}'`;
  switch (reason) {
    case 'no-inventory':
      return new AllocationRefused(`Unable to allocate inventory: there is no inventory of ${subject}.`);
    case 'units': {
      const huge = move.amounts.find(isHuge);
      if (huge !== undefined) {
        return new AllocationRefused(
          `Unable to allocate inventory: ${huge} of ${subject} is more than any inventory can give.`,
        );
      }
      return new AllocationRefused(
        `Unable to allocate inventory: the requested amount ${move.amounts.join(', ')} violates min_unit, max_unit or ` +
          `step_size of ${subject}.`,
      );
    }
    case 'capacity':
      return new AllocationRefused(
        `Unable to allocate inventory: ${subject} would exceed the capacity: ` +
          `${used} used, ${move.delta} more asked, capacity ${capacity}.`,
      );
  }
}
