// Group commit: concurrent allocation writes of one process share a transaction and its commit. Each request succeeds
// or fails on its own: if the group as a whole is not granted, its requests are written one by one.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../../platform/config/limits/database';
import { Database, retriedUntil } from '../../platform/database/database';
import type { GroupEntry, GroupQueue } from '../../platform/database/group-queue';
import type { SqlReader } from '../../platform/database/sql';
import { ClusterAborts, ConcurrentUpdate, Unavailable } from '../../platform/values/errors';
import { readConsumers } from '../consumers/consumers.writes';
import { seeRecords } from '../inventories/usage.writes';
import { AllocationWriter } from './allocation-writer';
import type { ConsumerWrite } from './allocations.commands';
import { ClaimCounters } from './claim-counters';
import type { AllocationRequest, NamedRequest } from './claim-law';
import { asksHugeAmounts, grantedOf, movesOf, totalSeen } from './claim-law';

type Entry = GroupEntry<AllocationRequest>;

/** A request of a group with its names resolved. */
interface Named extends NamedRequest {
  readonly entry: Entry;
}

/** If a group fails, a second attempt is made with the requests that can still succeed together. */
const TRIES = 2;

@Injectable()
export class AllocationGroups {
  private readonly queue: GroupQueue<AllocationRequest>;
  private readonly reader: SqlReader;

  constructor(
    private readonly db: Database,
    private readonly writer: AllocationWriter,
    private readonly counters: ClaimCounters = new ClaimCounters(),
  ) {
    // Takes a connection only for the few queries that need one.
    this.reader = {
      dialect: db.dialect,
      query: (text, params) => db.read((sql) => sql.query(text, params)),
      each: (text, params, take) => db.read((sql) => sql.each(text, params, take)),
    };
    this.queue = db.groups(
      {
        kindOf: ({ writes }) => kindOf(writes) ?? 'none',
        keysOf: ({ writes }) => writes.map((write) => write.consumerUuid),
        weightOf: ({ writes }) => weightOf(writes),
      },
      (entries) => this.writeGroup(entries),
    );
  }

  /**
   * Writes one request, in a group or alone; the result is the same. Resolves after the commit. Throws
   * ConsumerGenerationConflict, UnknownReference, AllocationRefused, all of them without any change.
   */
  write(request: AllocationRequest): Promise<void> {
    return canJoin(request.writes) ? this.queue.add(request) : this.writeAlone(request, performance.now());
  }

  private writeAlone(request: AllocationRequest, since: number): Promise<void> {
    this.counters.alone += 1;
    const nowMs = Date.now();
    return this.db.write((tx) => this.writer.writeAndFinish(tx, request, nowMs), { since });
  }

  /**
   * Writes requests with distinct consumers, together as far as possible, and the rest one by one in the order of
   * arrival. While another transaction holds a lock, it retries only for a limited time.
   */
  async writeGroup(entries: readonly Entry[]): Promise<void> {
    const left = new Set(entries);
    const since = entries[0]?.since ?? performance.now();
    const until = retriedUntil(since);
    let collision: unknown;
    let group = entries;
    for (let tries = 1; tries <= TRIES && group.length > 1 && !isOver(collision, until); tries += 1) {
      const named = await this.named(group);
      const together = tries === 1 ? named : await this.withoutConflicts(named);
      group = together.map(({ entry }) => entry);
      if (group.length < 2) break;
      const refusal = await this.refusalOfGroup(together, since);
      if (refusal === undefined) {
        for (const entry of group) left.delete(entry);
        this.counters.together += group.length;
        for (const entry of group) entry.succeed();
        break;
      }
      collision = collisionOf(refusal);
      this.counters.triedAgain += group.length;
    }
    for (const entry of left) {
      if (isOver(collision, until)) {
        entry.fail(collision);
        continue;
      }
      await this.writeAlone(entry.member, since).then(
        () => entry.succeed(),
        (error: unknown) => {
          collision = collisionOf(error) ?? collision;
          entry.fail(error);
        },
      );
    }
  }

  /** Undefined if the group was granted; otherwise nothing has changed. Throws Unavailable. */
  private async refusalOfGroup(group: readonly Named[], since: number): Promise<unknown> {
    const nowMs = Date.now();
    try {
      await this.db.write((tx) => this.writer.writeTogether(tx, group, nowMs), { since });
      return undefined;
    } catch (error) {
      // No retry: the transaction was possibly committed, or the database is unavailable.
      if (error instanceof Unavailable) throw error;
      return error;
    }
  }

  /** The requests whose names all exist according to the cache. The transaction detects outdated cache entries. */
  private async named(entries: readonly Entry[]): Promise<readonly Named[]> {
    const named: Named[] = [];
    for (const entry of entries) {
      const names = await this.writer.resolveNames(this.reader, entry.member.writes);
      if (names.unknown === undefined) named.push({ ...entry.member, names, entry });
    }
    return named;
  }

  /** The requests that would be granted in the order of arrival, according to the committed state. */
  private async withoutConflicts(group: readonly Named[]): Promise<readonly Named[]> {
    if (group.length === 0) return [];
    const uuids = group.flatMap(({ writes }) => writes.map((write) => write.consumerUuid));
    const rowsRead = await this.db.readSnapshot(async (sql) => {
      const consumers = await readConsumers(sql, uuids);
      const moves = movesOf(group.map((request) => totalSeen(request, consumers)));
      return { consumers, records: await seeRecords(sql, moves) };
    });
    return grantedOf(group, rowsRead);
  }
}

const isOver = (collision: unknown, until: number): boolean => collision !== undefined && performance.now() >= until;

/** The error, if it says that a write was given up after repeated conflicts. */
const collisionOf = (error: unknown): unknown =>
  error instanceof ClusterAborts || (error instanceof ConcurrentUpdate && error.cause !== undefined)
    ? error
    : undefined;

/** Requests of one kind: one statement can lock the rows of all their consumers. */
function kindOf(writes: readonly ConsumerWrite[]): string | undefined {
  const kinds = writes.map(({ expectedGeneration, consumerType }) => {
    const hasType = expectedGeneration.kind === 'unchecked' && consumerType !== undefined;
    return hasType ? `${expectedGeneration.kind} with type` : expectedGeneration.kind;
  });
  const [first] = kinds;
  return kinds.every((kind) => kind === first) ? first : undefined;
}

/** A consumer counts as two rows, because the consumers of a group must also fit into one statement. */
function weightOf(writes: readonly ConsumerWrite[]): number {
  let weight = 2 * writes.length;
  for (const { allocations } of writes) {
    if (weight > DATABASE_LIMITS.groupRows) break;
    for (const resources of allocations.values()) weight += resources.size;
  }
  return weight;
}

function canJoin(writes: readonly ConsumerWrite[]): boolean {
  return weightOf(writes) <= DATABASE_LIMITS.groupRows && kindOf(writes) !== undefined && !asksHugeAmounts(writes);
}
