// Group commit: allocation writes of one process that wait at the same time run in one transaction, which commits once
// for all of them. Each succeeds or fails alone: what a group cannot grant as a whole is judged request by request.
import { Injectable } from '@nestjs/common';
import { DATABASE_LIMITS } from '../config/limits';
import { readConsumers } from '../consumers/consumers.writes';
import { Database } from '../database/database';
import type { GroupEntry, GroupQueue } from '../database/group-queue';
import type { SqlReader } from '../database/sql';
import { ConcurrentUpdate, Unavailable } from '../domain/errors';
import { seeRecords } from '../inventories/usage.writes';
import { AllocationWriter } from './allocation-writer';
import type { ConsumerWrite } from './allocations.commands';
import { asksHugeAmounts, grantedOf, movesOf, totalSeen } from './claim-law';
import type { AllocationRequest, NamedRequest } from './claim-law';
import { ClaimTally } from './claim-tally';

type Entry = GroupEntry<AllocationRequest>;

/** A member whose names are known. */
interface Named extends NamedRequest {
  readonly entry: Entry;
}

/** Of a group that did not go together those that may go together yet are tried once more. */
const TRIES = 2;

@Injectable()
export class AllocationGroups {
  private readonly queue: GroupQueue<AllocationRequest>;
  private readonly reader: SqlReader;

  constructor(
    private readonly db: Database,
    private readonly writer: AllocationWriter,
    private readonly tally: ClaimTally = new ClaimTally(),
  ) {
    // A connection is taken only when there is something to ask, which is rare.
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
   * Carries out one request, in company or alone, as it comes; the answer is the same. Resolves after the commit. Throws
   * ConsumerGenerationConflict, UnknownReference, AllocationRefused; then nothing of the request has happened.
   */
  write(request: AllocationRequest): Promise<void> {
    return canJoin(request.writes) ? this.queue.add(request) : this.writeAlone(request, giveUpAt([]));
  }

  private writeAlone(request: AllocationRequest, until: number): Promise<void> {
    this.tally.alone += 1;
    const nowMs = Date.now();
    return this.db.write((tx) => this.writer.writeAndFinish(tx, request, nowMs), { giveUpAt: until });
  }

  /**
   * Carries out and answers requests whose consumers are all different, together as far as possible. What could not be
   * done together is done one by one, in the order of arrival; while somebody else's lock lasts, not for ever.
   */
  async writeGroup(entries: readonly Entry[]): Promise<void> {
    const left = new Set(entries);
    const until = giveUpAt(entries);
    let collision: unknown;
    let group = entries;
    for (let tries = 1; tries <= TRIES && group.length > 1 && !isOver(collision, until); tries += 1) {
      const named = await this.named(group);
      const together = tries === 1 ? named : await this.withoutMisfits(named);
      group = together.map(({ entry }) => entry);
      if (group.length < 2) break;
      const refusal = await this.refusalOfGroup(together, until);
      if (refusal === undefined) {
        for (const entry of group) left.delete(entry);
        this.tally.together += group.length;
        for (const entry of group) entry.succeed();
        break;
      }
      collision = collisionOf(refusal);
      this.tally.triedAgain += group.length;
    }
    for (const entry of left) {
      if (isOver(collision, until)) {
        entry.fail(collision);
        continue;
      }
      await this.writeAlone(entry.member, until).then(
        () => entry.succeed(),
        (error: unknown) => {
          collision = collisionOf(error) ?? collision;
          entry.fail(error);
        },
      );
    }
  }

  /** Undefined when the group was granted; if not, nothing of it has happened. Throws Unavailable. */
  private async refusalOfGroup(group: readonly Named[], until: number): Promise<unknown> {
    const nowMs = Date.now();
    try {
      await this.db.write((tx) => this.writer.writeTogether(tx, group, nowMs), { giveUpAt: until });
      return undefined;
    } catch (error) {
      // Nobody may be tried again: it may have been committed, or the database serves nobody.
      if (error instanceof Unavailable) throw error;
      return error;
    }
  }

  /** Those whose names all exist, as far as is remembered; the transaction finds out when one does not any more. */
  private async named(entries: readonly Entry[]): Promise<readonly Named[]> {
    const named: Named[] = [];
    for (const entry of entries) {
      const names = await this.writer.resolveNames(this.reader, entry.member.writes);
      if (names.unknown === undefined) named.push({ ...entry.member, names, entry });
    }
    return named;
  }

  /** Those that would be granted if the others came in the order of arrival, by what is committed now. */
  private async withoutMisfits(group: readonly Named[]): Promise<readonly Named[]> {
    if (group.length === 0) return [];
    const uuids = group.flatMap(({ writes }) => writes.map((write) => write.consumerUuid));
    const seen = await this.db.readSnapshot(async (sql) => {
      const consumers = await readConsumers(sql, uuids);
      const moves = movesOf(group.map((request) => totalSeen(request, consumers)));
      return { consumers, records: await seeRecords(sql, moves) };
    });
    return grantedOf(group, seen);
  }
}

/**
 * From when on nobody of a group is tried again behind a collision, by `performance.now()`: they wait for no longer than
 * the first of them may, but those that waited for their turn for that long still have a moment.
 */
function giveUpAt([first]: readonly Entry[]): number {
  const now = performance.now();
  const { collidingMs, collidingAfterQueueMs } = DATABASE_LIMITS;
  return Math.max((first?.since ?? now) + collidingMs, now + collidingAfterQueueMs);
}

const isOver = (collision: unknown, until: number): boolean => collision !== undefined && performance.now() >= until;

/** The error where it says that a write was given up because it kept colliding. */
const collisionOf = (error: unknown): unknown =>
  error instanceof ConcurrentUpdate && error.cause !== undefined ? error : undefined;

/** Groups are of one kind: then a statement takes the rows of all their consumers. */
function kindOf(writes: readonly ConsumerWrite[]): string | undefined {
  const kinds = writes.map(({ belief, consumerType }) => {
    const hasType = belief.kind === 'unchecked' && consumerType !== undefined;
    return hasType ? `${belief.kind} with type` : belief.kind;
  });
  const [first] = kinds;
  return kinds.every((kind) => kind === first) ? first : undefined;
}

/** Two for the row of a consumer, so that the consumers of a group fit one statement as well. */
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
