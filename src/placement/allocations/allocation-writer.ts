// Executes writes of allocations according to claim-law.ts, in one of four ways: a claim in one round trip, a request
// in a transaction, a group of requests, a request with other changes. All APIs that write allocations use it: PUT,
// POST, DELETE, the reshaper and the scheduler.
import { Injectable } from '@nestjs/common';
import { StartOver } from '../../platform/database/database';
import type { StatementResult } from '../../platform/database/sql';
import type { SqlReader, Statement, WriteTx } from '../../platform/database/sql';
import { UnknownReference } from '../../platform/values/errors';
import type { Uuid } from '../../platform/values/uuid';
import type { ConsumerClaimant, HeldAllocation } from '../consumers/consumers.writes';
import {
  conflictOfNew,
  holdConsumers,
  holdPresentConsumers,
  newConsumersOf,
  takingNewConsumers,
} from '../consumers/consumers.writes';
import type { OwnerIds } from '../consumers/owners.service';
import { OwnersService } from '../consumers/owners.service';
import type { UsageMove } from '../inventories/usage.writes';
import {
  findUsageConflict,
  matchedBy,
  moveUsage,
  movingUsage,
  RECORDS_PER_STATEMENT,
} from '../inventories/usage.writes';
import { ResourceClassesService } from '../resource-classes/resource-classes.service';
import { ProviderIds } from '../resource-providers/provider-ids';
import { raising } from '../resource-providers/providers.writes';
import { unknownProviderReference } from '../resource-providers/resource-providers.service';
import type { ConsumerWrite } from './allocations.commands';
import { insertAllocationsOfNew } from './allocations.writes';
import type { AllocationRequest, HeldConsumers, NamedRequest, ResolvedNames } from './claim-law';
import {
  areAllNew,
  asksHugeAmounts,
  claimantsOf,
  heldOf,
  movesOf,
  raisesOf,
  refused,
  rowsOf,
  totalOf,
  unjudgedMoves,
} from './claim-law';

/**
 * Other changes in the same transaction, made before the usage moves. They also increment the generations of the given
 * providers; the result is whether all of those still exist.
 */
export type OthersChanges = (raised: readonly number[]) => Promise<boolean>;

@Injectable()
export class AllocationWriter {
  constructor(
    private readonly owners: OwnersService,
    private readonly providerIds: ProviderIds,
    private readonly resourceClasses: ResourceClassesService,
  ) {}

  /** Creates missing projects, users and types, and commits them before the write. */
  ensureOwners(writes: readonly ConsumerWrite[]): Promise<OwnerIds> {
    return this.owners.ensure({
      projects: new Set(writes.map((write) => write.projectId)),
      users: new Set(writes.map((write) => write.userId)),
      types: new Set(writes.map((write) => write.consumerType).filter((type) => type !== undefined)),
    });
  }

  /**
   * Writes one request in the caller's transaction, with the changes of `others`. Throws ConsumerGenerationConflict,
   * UnknownReference, AllocationRefused.
   */
  async write(tx: WriteTx, request: AllocationRequest, nowMs: number, others?: OthersChanges): Promise<void> {
    const { writes } = request;
    let names = others === undefined && areAllNew(writes) ? await this.resolveNames(tx, writes) : undefined;
    let lockedConsumers: HeldConsumers | undefined;
    if (names === undefined || names.unknown !== undefined) {
      lockedConsumers = await holdConsumers(tx, claimantsOf(request), nowMs);
      names ??= await this.resolveNames(tx, writes);
      if (names.unknown !== undefined) throw names.unknown;
    }
    const done = await carryOut(tx, [{ writes, owners: request.owners, names }], nowMs, { lockedConsumers, others });
    if (!done.areRaised) throw this.outdated(names);
    if (!done.hasMoved) throw await this.refusal(tx, done.moves);
  }

  /**
   * Writes one request in its own transaction and commits it. The claim of one new consumer, the most frequent write,
   * takes one round trip: the statements themselves fail if the claim cannot be granted.
   */
  async writeAndFinish(tx: WriteTx, request: AllocationRequest, nowMs: number): Promise<void> {
    const { writes } = request;
    // Not on SQLite: it saves no round trip, and its last generated key changes with each inserted row.
    const isOneNew = tx.dialect.batches && writes.length === 1 && areAllNew(writes) && !asksHugeAmounts(writes);
    const names = isOneNew ? await this.resolveNames(tx, writes) : undefined;
    const total =
      names === undefined || names.unknown !== undefined ? undefined : totalOf({ ...request, names }, () => []);
    const after = total?.changes[0]?.after ?? [];
    if (names === undefined || total === undefined || after.length === 0 || after.length > RECORDS_PER_STATEMENT) {
      await this.write(tx, request, nowMs);
      return tx.finish();
    }
    const claimants = claimantsOf(request);
    const moves = movesOf([total]);
    const rows = insertAllocationsOfNew(tx, after, nowMs);
    tx.concludeWith([
      ...takingNewConsumers(claimants, nowMs),
      ...raising(raisesOf([total]), nowMs),
      ...movingUsage(tx, moves),
      rows,
    ]);
    try {
      await tx.finish();
    } catch (error) {
      const failure = tx.dialect.classify(error);
      if (failure === 'duplicate') throw await conflictOfNew(tx, claimants, nowMs);
      if (failure !== 'check') throw error;
      // A deleted provider has no records either, so it is checked first.
      throw (await this.isOutdated(tx, names))
        ? new StartOver('a provider was deleted')
        : await this.refusal(tx, moves);
    }
  }

  /**
   * Writes several requests with distinct consumers and one kind of generation check. Throws GroupConflict, without any
   * change, unless each of them would be granted alone, in any order.
   */
  async writeTogether(tx: WriteTx, requests: readonly NamedRequest[], nowMs: number): Promise<void> {
    const { areRaised, hasMoved } = await carryOut(tx, requests, nowMs);
    if (!areRaised) for (const { names } of requests) this.providerIds.forget(names.providerUuids);
    if (!areRaised || !hasMoved) throw new GroupConflict();
  }

  /** Deletes all allocations of these consumers regardless of their generations. Returns how many of them had any. */
  async release(tx: WriteTx, consumerUuids: readonly Uuid[], nowMs: number): Promise<number> {
    refuseSecondWrite(tx, consumerUuids);
    const lockedConsumers = await holdPresentConsumers(tx, consumerUuids);
    const changes = Array.from(lockedConsumers, ([consumerUuid, { before }]) => ({ consumerUuid, before, after: [] }));
    const moves = unjudgedMoves(changes);
    if (moves.length > 0 && !(await moveUsage(tx, moves))) throw await this.refusal(tx, moves);
    deferRows(tx, changes, rowsOf(changes, lockedConsumers, nowMs));
    return changes.filter(({ before }) => before.length > 0).length;
  }

  /**
   * Row ids of all names in the writes. Returns an unknown name instead of throwing, because conflicts take precedence.
   */
  async resolveNames(tx: SqlReader, writes: readonly ConsumerWrite[]): Promise<ResolvedNames> {
    const { providerUuids, classNames } = namesOf(writes);
    const providers = await this.providerIds.resolve(tx, providerUuids);
    const missing = providerUuids.filter((uuid) => !providers.has(uuid));
    if (missing.length > 0) {
      return { providerUuids, providers, classes: new Map(), unknown: unknownProviderReference(missing) };
    }
    try {
      const classes = await this.resourceClasses.resolve(tx, classNames);
      return { providerUuids, providers, classes, unknown: undefined };
    } catch (error) {
      if (error instanceof UnknownReference) return { providerUuids, providers, classes: new Map(), unknown: error };
      throw error;
    }
  }

  /** Not all providers could be incremented, so a cached one has been deleted. Clears them from the cache. */
  private outdated({ providerUuids }: ResolvedNames): StartOver {
    this.providerIds.forget(providerUuids);
    return new StartOver('a provider was deleted');
  }

  /** Whether a cached provider is outdated. Resolves all of them again. */
  private async isOutdated(tx: WriteTx, { providerUuids, providers }: ResolvedNames): Promise<boolean> {
    this.providerIds.forget(providerUuids);
    const now = await this.providerIds.resolve(tx, providerUuids);
    return providerUuids.some((uuid) => now.get(uuid) !== providers.get(uuid));
  }

  /** If there is no conflict any more, capacity was released in the meantime and the write is retried. */
  private async refusal(tx: WriteTx, moves: readonly UsageMove[]): Promise<Error> {
    const conflict = await findUsageConflict(tx, moves);
    return conflict === undefined ? new StartOver('the conflict no longer exists') : refused(conflict);
  }
}

interface Names {
  readonly providerUuids: readonly Uuid[];
  readonly classNames: readonly string[];
}

/** Without duplicates. */
function namesOf(writes: readonly ConsumerWrite[]): Names {
  const [providerUuids, classNames] = [new Set<Uuid>(), new Set<string>()];
  for (const { allocations } of writes) {
    for (const [uuid, resources] of allocations) {
      providerUuids.add(uuid);
      for (const name of resources.keys()) classNames.add(name);
    }
  }
  return { providerUuids: [...providerUuids], classNames: [...classNames] };
}

/** A group cannot be granted as a whole; its requests must be written one by one. */
class GroupConflict extends Error {
  override readonly name = 'GroupConflict';
}

interface Circumstances {
  /** The consumers, if the caller has already locked them. */
  readonly lockedConsumers?: HeldConsumers | undefined;
  readonly others?: OthersChanges | undefined;
}

/** The results of the increments and the moves. If either failed, the allocation rows have not changed. */
interface CarriedOut {
  readonly moves: readonly UsageMove[];
  readonly areRaised: boolean;
  readonly hasMoved: boolean;
}

/**
 * Executes steps 1 and 3 to 5 of the law in a transaction; the caller checks the results. Statements that do not depend
 * on each other form one batch in lock order: all of them if all consumers are new. The rows are written at the commit,
 * unless statements of `others` follow.
 */
async function carryOut(
  tx: WriteTx,
  requests: readonly NamedRequest[],
  nowMs: number,
  { lockedConsumers, others }: Circumstances = {},
): Promise<CarriedOut> {
  const claimants = requests.flatMap(claimantsOf);
  refuseSecondWrite(
    tx,
    claimants.map(({ uuid }) => uuid),
  );
  const isAllNew = lockedConsumers === undefined && requests.every(({ writes }) => areAllNew(writes));
  const known = isAllNew ? undefined : (lockedConsumers ?? (await holdConsumers(tx, claimants, nowMs)));
  const before = (uuid: Uuid): readonly HeldAllocation[] => (known === undefined ? [] : heldOf(known, uuid).before);
  const totals = requests.map((request) => totalOf(request, before));
  const moves = movesOf(totals);
  const raises = raisesOf(totals);
  if (others !== undefined && !(await others([...raises.keys()]))) return { moves, areRaised: false, hasMoved: false };
  // A huge amount is never sent to the database.
  const isHuge = requests.some(({ writes }) => asksHugeAmounts(writes));
  const taking = known === undefined ? takingNewConsumers(claimants, nowMs) : [];
  const rising = others === undefined ? raising(raises, nowMs) : [];
  const moving = isHuge ? [] : movingUsage(tx, moves);
  const results = await batchOfNew(tx, [...taking, ...rising, ...moving], claimants, nowMs);
  const areRaised =
    others !== undefined || matchedBy(results.slice(taking.length, taking.length + rising.length)) === raises.size;
  const hasMoved = !isHuge && matchedBy(results.slice(taking.length + rising.length)) === moves.length;
  if (!areRaised || !hasMoved) return { moves, areRaised, hasMoved };
  const consumers = known ?? newConsumersOf(claimants, results);
  const changes = totals.flatMap((total) => total.changes);
  const rows = rowsOf(changes, consumers, nowMs);
  if (others === undefined) deferRows(tx, changes, rows);
  else for (const { sql, params } of rows) await tx.run(sql, params);
  return { moves, areRaised, hasMoved };
}

/** Consumers whose rows a transaction writes at its end. */
const deferredConsumers = new WeakMap<WriteTx, Set<Uuid>>();

/** The rows are written at the commit, so a second write would find the old rows and count their usage twice. */
function refuseSecondWrite(tx: WriteTx, consumerUuids: readonly Uuid[]): void {
  const deferred = deferredConsumers.get(tx);
  const twice = deferred && consumerUuids.find((uuid) => deferred.has(uuid));
  if (twice !== undefined) throw new Error(`One transaction writes the allocations of consumer ${twice} twice.`);
}

function deferRows(tx: WriteTx, changes: readonly { readonly consumerUuid: Uuid }[], rows: Iterable<Statement>): void {
  const deferred = deferredConsumers.get(tx) ?? new Set();
  deferredConsumers.set(tx, deferred);
  for (const { consumerUuid } of changes) deferred.add(consumerUuid);
  tx.concludeWith(rows);
}

/** Runs the batch. A duplicate-key error means that a consumer is not new. */
async function batchOfNew(
  tx: WriteTx,
  statements: readonly Statement[],
  claimants: readonly ConsumerClaimant[],
  nowMs: number,
): Promise<readonly StatementResult[]> {
  try {
    return await tx.batch(statements);
  } catch (error) {
    if (tx.dialect.classify(error) !== 'duplicate') throw error;
    throw await conflictOfNew(tx, claimants, nowMs);
  }
}
