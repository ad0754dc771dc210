// The law of a claim: the steps of every write of allocations, however allocation-writer.ts executes it (one claim in
// one round trip, a request in a transaction, a group, a request with other changes). In this order:
//   1. Lock the consumers by statements that compare the expected generations       consumers.writes.ts
//   2. Resolve all names; each must exist                                           AllocationWriter.resolveNames
//   3. Increment the generations of the providers; each must exist                  joined, providers.writes.ts
//   4. Move the usage: each record must exist, accept the amounts,                  joined, usage.writes.ts
//      and have room for the difference of new and old amounts
//   5. Replace the rows, and delete consumers without any                           rowsOf
// All steps succeed, or nothing changes and the first failure is the result. A release has only steps 1, 4 and 5, and
// neither compares nor increments generations. Pure: other files build the statements of the steps named above.
import { StartOver } from '../../platform/database/database';
import type { Statement } from '../../platform/database/sql';
import type { UnknownReference } from '../../platform/values/errors';
import { AllocationRefused } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { StoredAllocation } from '../consumers/allocation.entity';
import type { ConsumerClaimant, HeldAllocation, HeldConsumer, SeenConsumer } from '../consumers/consumers.writes';
import { deleteConsumers, NEW_CONSUMERS_MAX } from '../consumers/consumers.writes';
import type { OwnerIds } from '../consumers/owners.service';
import { MAX_INT } from '../domain/inventory';
import type { SeenRecord, UsageConflict, UsageMove } from '../inventories/usage.writes';
import { conflictReason, recordKey } from '../inventories/usage.writes';
import type { ConsumerWrite } from './allocations.commands';
import { deleteAllocations, insertAllocations } from './allocations.writes';

/** One request with the row ids of its owners. */
export interface AllocationRequest {
  readonly writes: readonly ConsumerWrite[];
  readonly owners: OwnerIds;
}

/** The names in the writes, resolved to row ids. */
export interface ResolvedNames {
  readonly providerUuids: readonly Uuid[];
  readonly providers: ReadonlyMap<Uuid, number>;
  readonly classes: ReadonlyMap<string, number>;
  /** Set if a name does not exist. */
  readonly unknown?: UnknownReference | undefined;
}

export interface NamedRequest extends AllocationRequest {
  readonly names: ResolvedNames;
}

/** The old and new allocations of one consumer, by row ids. */
interface RowChange {
  readonly before: readonly HeldAllocation[];
  readonly after: readonly HeldAllocation[];
}

interface ConsumerChange extends RowChange {
  readonly consumerUuid: Uuid;
}

export type HeldConsumers = ReadonlyMap<Uuid, HeldConsumer>;

/** True if no row must be read first: all consumers must be new and fit into one statement. */
export function areAllNew(writes: readonly ConsumerWrite[]): boolean {
  return writes.length <= NEW_CONSUMERS_MAX && writes.every((write) => write.expectedGeneration.kind === 'mustBeNew');
}

const isHuge = (amount: number): boolean => amount > MAX_INT;

/** No record accepts more than MAX_INT in one allocation. Without larger amounts, all sums are exact. */
export const asksHugeAmounts = (writes: readonly ConsumerWrite[]): boolean =>
  writes.some(({ allocations }) => [...allocations.values()].some((resources) => [...resources.values()].some(isHuge)));

export function claimantsOf({ writes, owners }: AllocationRequest): readonly ConsumerClaimant[] {
  return writes.map((write) => ({
    uuid: write.consumerUuid,
    expectedGeneration: write.expectedGeneration,
    projectId: known(owners.projects, write.projectId),
    userId: known(owners.users, write.userId),
    typeId: write.consumerType === undefined ? undefined : known(owners.types, write.consumerType),
  }));
}

function known<K>(ids: ReadonlyMap<K, number>, key: K): number {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`no id was resolved for ${String(key)}`);
  return id;
}

export function heldOf(lockedConsumers: HeldConsumers, consumerUuid: Uuid): HeldConsumer {
  const consumer = lockedConsumers.get(consumerUuid);
  if (consumer === undefined) throw new StartOver('a consumer vanished while it was taken');
  return consumer;
}

type MoveSum = { -readonly [K in keyof UsageMove]: UsageMove[K] } & { amounts: number[] };

/** The effects of one request: changes of its consumers, moves of records, increments of generations. */
class RequestTotal {
  readonly changes: ConsumerChange[] = [];
  /** By record: new amounts minus old amounts of all consumers. One consumer can use the amount that another one releases. */
  readonly moves = new Map<string, MoveSum>();
  /**
   * Providers whose generation is incremented: those in the new set of a consumer or, if that is empty, in its old set.
   * A provider that a consumer only moves away from is not incremented.
   */
  readonly raised = new Set<number>();

  constructor(private readonly names: ResolvedNames) {}

  add({ consumerUuid, allocations }: ConsumerWrite, before: readonly HeldAllocation[]): void {
    const after: HeldAllocation[] = [];
    for (const [uuid, resources] of allocations) {
      const providerId = known(this.names.providers, uuid);
      for (const [name, used] of resources) after.push({ providerId, classId: known(this.names.classes, name), used });
    }
    this.changes.push({ consumerUuid, before, after });
    addChange(this.moves, { before, after });
    for (const { providerId } of after.length > 0 ? after : before) this.raised.add(providerId);
  }
}

/** The total of a request. `before`: the allocations of a consumer before it. */
export function totalOf(
  request: NamedRequest,
  before: (consumerUuid: Uuid) => readonly HeldAllocation[],
): RequestTotal {
  const total = new RequestTotal(request.names);
  for (const write of request.writes) total.add(write, before(write.consumerUuid));
  return total;
}

function addChange(moves: Map<string, MoveSum>, { before, after }: RowChange): void {
  for (const old of before) moveOf(moves, old).delta -= old.used;
  for (const added of after) {
    const move = moveOf(moves, added);
    move.delta += added.used;
    move.amounts.push(added.used);
  }
}

/** Moves without a check of units or room, for releases and imports. Imports keep amounts even above the capacity. */
export function unjudgedMoves(changes: Iterable<RowChange>): readonly UsageMove[] {
  const moves = new Map<string, MoveSum>();
  for (const change of changes) addChange(moves, change);
  return Array.from(moves.values(), (move) => ({ ...move, room: 0, amounts: [] }));
}

/**
 * The moves of each record. `room` is the sum of the requests' additions, without their releases: each request then fits
 * alone, in any order.
 */
export function movesOf(totals: readonly RequestTotal[]): readonly UsageMove[] {
  const joined = totals.length === 1 ? (totals[0]?.moves ?? new Map<string, MoveSum>()) : new Map<string, MoveSum>();
  for (const { moves } of totals) {
    for (const move of moves.values()) {
      move.room = Math.max(move.delta, 0);
      if (moves === joined) continue;
      const sum = moveOf(joined, move);
      sum.delta += move.delta;
      sum.room += move.room;
      sum.amounts.push(...move.amounts);
    }
  }
  return [...joined.values()];
}

function moveOf(
  moves: Map<string, MoveSum>,
  { providerId, classId }: Pick<UsageMove, 'providerId' | 'classId'>,
): MoveSum {
  const key = recordKey(providerId, classId);
  let found = moves.get(key);
  if (found === undefined) {
    found = { providerId, classId, delta: 0, room: 0, amounts: [] };
    moves.set(key, found);
  }
  return found;
}

/** How often the generation of each provider is incremented: once for each request that increments it. */
export function raisesOf(totals: readonly RequestTotal[]): ReadonlyMap<number, number> {
  const raises = new Map<number, number>();
  for (const { raised } of totals) for (const id of raised) raises.set(id, (raises.get(id) ?? 0) + 1);
  return raises;
}

/** Statements that delete the old rows, insert the new ones, and delete consumers without rows. */
export function* rowsOf(
  changes: readonly ConsumerChange[],
  lockedConsumers: HeldConsumers,
  nowMs: number,
): Iterable<Statement> {
  const idOf = ({ consumerUuid }: ConsumerChange): number => heldOf(lockedConsumers, consumerUuid).id;
  yield* deleteAllocations(oldRows(changes, lockedConsumers));
  yield* insertAllocations(newRows(changes, lockedConsumers, nowMs));
  yield* deleteConsumers(changes.filter(({ after }) => after.length === 0).map(idOf));
}

function* oldRows(
  changes: readonly ConsumerChange[],
  lockedConsumers: HeldConsumers,
): Iterable<{ readonly consumerId: number; readonly rows: number }> {
  for (const { consumerUuid, before } of changes) {
    if (before.length > 0) yield { consumerId: heldOf(lockedConsumers, consumerUuid).id, rows: before.length };
  }
}

function* newRows(
  changes: readonly ConsumerChange[],
  lockedConsumers: HeldConsumers,
  createdAtMs: number,
): Iterable<StoredAllocation> {
  for (const { consumerUuid, after } of changes) {
    const consumerId = heldOf(lockedConsumers, consumerUuid).id;
    for (const { providerId, classId, used } of after) {
      yield { consumerId, providerId, classId, used, createdAtMs };
    }
  }
}

export function refused({
  providerUuid,
  resourceClass,
  reason,
  move,
  used,
  capacity,
}: UsageConflict): AllocationRefused {
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

/** Rows that were read without a lock. */
interface Seen {
  readonly consumers: ReadonlyMap<Uuid, SeenConsumer>;
  readonly records: ReadonlyMap<string, SeenRecord>;
}

/** The total of a request if its consumers have not changed since they were read. */
export const totalSeen = (request: NamedRequest, consumers: Seen['consumers']): RequestTotal =>
  totalOf(request, (uuid) => consumers.get(uuid)?.before ?? []);

/** The requests that would be granted in the given order, according to the rows read. */
export function grantedOf<R extends NamedRequest>(requests: readonly R[], { consumers, records }: Seen): readonly R[] {
  const added = new Map<string, number>();
  return requests.filter((request) => {
    if (!request.writes.every((write) => hasExpectedGeneration(write, consumers))) return false;
    const moves = movesOf([totalSeen(request, consumers)]);
    const hasRoom = moves.every((move) => {
      const key = recordKey(move.providerId, move.classId);
      const room = move.room === 0 ? 0 : move.room + (added.get(key) ?? 0);
      return conflictReason(records.get(key), { ...move, room }) === undefined;
    });
    if (!hasRoom) return false;
    for (const { providerId, classId, room } of moves) {
      const key = recordKey(providerId, classId);
      added.set(key, (added.get(key) ?? 0) + room);
    }
    return true;
  });
}

function hasExpectedGeneration(
  { expectedGeneration, consumerUuid }: ConsumerWrite,
  consumersRead: Seen['consumers'],
): boolean {
  switch (expectedGeneration.kind) {
    case 'mustBeNew':
      return !consumersRead.has(consumerUuid);
    case 'expect':
      return consumersRead.get(consumerUuid)?.generation === expectedGeneration.generation;
    case 'unchecked':
      return true;
  }
}
